"""Records arrays whose equal sizes let JAX pair axes in a way that was probably not meant."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any, Literal

import jax

from jaxtutor.core.data.observations import MappedSquare, RankPromotion, SquarePromotion
from jaxtutor.worker.internals import explanations, places
from jaxtutor.worker.watching.recorder import Recorder
from jaxtutor.worker.watching.replacements import Replacements

_BY_AXES: dict[int, Literal["row", "column"]] = {1: "row", 2: "column"}


class SquareArguments:
    """Watches rank promotion, and `jax.vmap` without `in_axes`."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def start(self, replacements: Replacements) -> None:
        """Start observing. JAX's setting for rank promotion stays as the program has it."""
        replacements.replace(jax, "vmap", self._mapping)

        def note(shapes: Sequence[tuple[int, ...]]) -> None:
            self._note_promotion(shapes, sys._getframe(1))

        replacements.add(explanations.watch_promotions(note))

    def _note_promotion(self, shapes: Sequence[tuple[int, ...]], frame: FrameType) -> None:
        ranks = sorted(map(tuple, shapes), key=len)
        if len(ranks) == 2 and len(ranks[0]) == 1 and len(ranks[1]) == 2:
            (length,), (rows, columns) = ranks
            if length > 1 and rows == length and columns in (1, length):
                met = f"{ranks[1]} and {ranks[0]}"
                if columns > 1:
                    self._recorder.note(SquarePromotion(met), frame)
                    return
                site, value = places.site_of(frame)
                axes = len(getattr(value, "shape", ()))
                observed: Literal["", "row", "column"] = _BY_AXES.get(axes, "") if site else ""
                self._recorder.note(RankPromotion(met, site, observed), frame)

    def _mapping(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """Record square arguments that are mapped over rows because `in_axes` was not given."""

        @functools.wraps(original)
        def vmap(function: Any, *rest: Any, **options: Any) -> Any:
            made = original(function, *rest, **options)
            if rest or options.get("in_axes", 0) != 0:
                return made
            applied = self._recorder.place_of(sys._getframe(1))

            @functools.wraps(made)
            def mapped(*args: Any, **kwargs: Any) -> Any:
                shapes = [getattr(a, "shape", None) for a in args]
                squares = [n for n, s in enumerate(shapes) if s and len(s) == 2 and s[0] == s[1]]
                if applied is not None and len(args) > 1 and squares:
                    self._recorder.note_at(MappedSquare(tuple(squares)), applied)
                return made(*args, **kwargs)

            return mapped

        return vmap
