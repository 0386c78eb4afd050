"""Inspects gradients: where a NaN in one comes from, and what lets none through."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from types import FunctionType, MappingProxyType
from typing import Any

import jax

from jaxtutor.core.data.observations import ZeroGradient
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.internals import places, tracers
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.watching.gradients import (
    find_block,
    find_blocked_weights,
    flat_positions,
    is_zero,
)
from jaxtutor.worker.watching.non_finite import has_nan
from jaxtutor.worker.watching.operations import Note
from jaxtutor.worker.watching.program_walk import MOST_SECONDS, ProgramWalk


class GradientWatch:
    """Records what is wrong with gradients that the learner's program computes.

    Its methods may raise anything: they run the learner's functions once more.
    """

    def __init__(self, is_own: IsOwn, note: Note, walk: ProgramWalk) -> None:
        self._is_own = is_own
        self._note = note
        self._walk = walk

    def look_at_answer(
        self,
        made: Any,
        function: Any,
        argnums: Any,
        args: Any,
        kwargs: Any,
        place: Frame | None,
        gradient: Any,
    ) -> None:
        """Inspect a gradient.

        If it contains a NaN, it is evaluated again, equation by equation. If it is zero
        everywhere, the function's program is searched for the operation that blocks it. One that
        is traced is zero whatever the inputs, or is left alone.
        """
        inputs, outputs = jax.tree.leaves((args, kwargs)), jax.tree.leaves(gradient)
        if any(tracers.is_tracer(x) for x in (*inputs, *outputs)):
            zeros = [tracers.is_constant_zero(leaf) for leaf in outputs]
            is_blocked = bool(zeros) and all(zeros)
        elif has_nan(outputs) and not has_nan(inputs):
            self.look_for_nan(made, args, kwargs, place)
            return
        else:
            zeros = [is_zero([leaf]) for leaf in outputs]
            is_blocked = is_zero(gradient)
        positions = flat_positions(args, argnums) if any(zeros) or is_blocked else set()
        if is_blocked:
            self.look_for_blocks(function, args, kwargs, positions)
        elif any(zeros):
            self._look_for_blocked_weights(function, args, kwargs, zeros, positions)

    def look_for_nan(
        self,
        made: Any,
        args: Sequence[Any],
        kwargs: Mapping[str, Any] = MappingProxyType({}),
        place: Frame | None = None,
    ) -> None:
        """Evaluate a gradient equation by equation, to find where its first NaN comes from."""
        closed = jax.make_jaxpr(made)(*args, **kwargs)
        inputs = jax.tree.leaves((args, dict(kwargs)))
        self._walk.until(time.process_time() + MOST_SECONDS)
        self._walk.run_program(closed, inputs, place)

    def look_for_blocks(
        self,
        function: Any,
        args: Sequence[Any],
        kwargs: Mapping[str, Any] = MappingProxyType({}),
        positions: set[int] | None = None,
    ) -> None:
        """Record the operation that blocks the gradient of some flat inputs, by default of all."""
        found = find_block(function, args, kwargs, positions, self._find_place)
        if found is not None:
            self._note(ZeroGradient(found[1]), found[0])

    def _look_for_blocked_weights(
        self,
        function: Any,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        zeros: Sequence[bool],
        positions: set[int],
    ) -> None:
        """Record the operation that blocks the gradient of some weights."""
        if len(zeros) != len(positions):
            return
        found = find_blocked_weights(function, args, kwargs, zeros, positions, self._find_place)
        if found is None:
            return
        code = function.__code__ if isinstance(function, FunctionType) else None
        is_named = code is not None and self._is_own(code.co_filename) and code.co_argcount
        owner = code.co_varnames[0] if code is not None and is_named else ""
        weights = f"{owner}{found[2]}".removeprefix(".")
        self._note(ZeroGradient(found[1], weights), found[0])

    def _find_place(self, equation: Any) -> Frame | None:
        return places.place_of(equation, self._is_own)
