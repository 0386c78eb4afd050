"""Records draws of `jax.random` from keys that were used before, or that are shared."""

from __future__ import annotations

import functools
import sys
import weakref
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from types import FrameType
from typing import Any

import jax

from jaxtutor.core.data.observations import EqualKeys, KeyForAll, KeyReuse, SameSeed
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.internals import places, tracers, tracing
from jaxtutor.worker.watching.key_reports import first_argument
from jaxtutor.worker.watching.key_uses import KeyUses
from jaxtutor.worker.watching.recorder import Recorder
from jaxtutor.worker.watching.replacements import Replacements, caller
from jaxtutor.worker.watching.seeded_keys import SeededKeys, is_class_body

MOST_KEYS = 1_000
"""Keys made from a seed whose bits are remembered; each is a few bytes."""
MOST_FROM_A_SEED = 64
_DRAWING = (
    "normal uniform randint bernoulli categorical choice permutation truncated_normal exponential"
    " gumbel laplace beta gamma poisson dirichlet multivariate_normal rademacher bits split"
    " cauchy logistic t ball orthogonal"
).split()


@dataclass(frozen=True)
class _Use:
    """A use of a key by a function of `jax.random`."""

    place: Frame
    key: object
    experiment: int
    function: str


class _Seeded:
    """Keys that one expression makes from one seed."""

    def __init__(self) -> None:
        self.keys: dict[int, weakref.ref[Any]] = {}

    def has(self, key: object) -> bool:
        """Return whether a key is one of them."""
        found = self.keys.get(id(key))
        return found is not None and found() is key


class KeyDraws:
    """Watches the functions of `jax.random`."""

    def __init__(self, recorder: Recorder, uses: KeyUses, seeds: SeededKeys) -> None:
        self._recorder = recorder
        self._seeded_keys = seeds
        self._uses = uses
        self._first: dict[object, _Use] = {}  # by the bits of the key
        self._seeds: set[object] = set()
        self._seeded: dict[tuple[object, Frame], _Seeded] = {}
        self._experiment = 0  # one more each time that a key is made from the same seed again

    def start(self, replacements: Replacements) -> None:
        """Replace the functions that draw, and those that make a key."""
        for name in _DRAWING:
            replacements.replace(jax.random, name, self._drawing)
        for name in ("key", "PRNGKey"):
            replacements.replace(jax.random, name, self._making_key)
        replacements.add(self._first.clear)

    def _drawing(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """Record each key that is passed to a function of `jax.random` a second time."""

        @functools.wraps(original)
        def draw(*args: Any, **kwargs: Any) -> Any:
            frame = sys._getframe(1)
            key = args[0] if args else kwargs.get("key")
            if self._uses.is_due(frame):
                self._note_equal_keys(frame, key)
                if self._recorder.is_learners(frame):
                    self._note_shared_key(frame, key, original.__name__)
                    self._note_key(frame, key, original.__name__)
                    self._uses.note_leaves(key, frame)
                else:
                    self._note_shared_mask(frame, key)
                self._uses.follow(key, frame)
            made = original(*args, **kwargs)
            if original.__name__ == "split":
                self._seeded_keys.derive(key, made)
            return made

        return draw

    def _making_key(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """Remember the keys that the learner makes from a seed.

        The same seed again begins another experiment, in which equal keys are equal on purpose.
        """

        @functools.wraps(original)
        def make(*args: Any, **kwargs: Any) -> Any:
            made = original(*args, **kwargs)
            if self._recorder.is_learners(caller()) and not tracers.is_tracer(made):
                self._note_constant(made, caller())
                identity, _ = tracers.identity_of_key(made)
                self._experiment += identity in self._seeds
                if len(self._seeds) < MOST_KEYS:
                    self._seeds.add(identity)
                    self._note_seed(identity, made, caller())
            return made

        return make

    def _note_constant(self, key: Any, frame: FrameType | None) -> None:
        """Remember a key that a mapped function makes once for all rows, or that is a default."""
        if frame is not None and is_class_body(frame):
            self._seeded_keys.remember(key, self._uses.places_of(frame)[:1])
        elif places.frame_outside_map(frame) is not None:
            self._seeded_keys.remember(key, self._uses.places_of(frame))

    def _note_seed(self, identity: object, key: Any, frame: FrameType | None) -> None:
        """Remember where a key is made from a seed."""
        place = self._recorder.place_of(frame)
        if place is None:
            return
        seeded = self._seeded.setdefault((identity, place), _Seeded())
        if len(seeded.keys) < MOST_FROM_A_SEED:
            with suppress(TypeError):  # a kind of key without weak references
                seeded.keys[id(key)] = weakref.ref(key)

    def _note_same_seed(self, identity: object, first: object, second: object) -> None:
        """Record two keys that one expression made from a seed, and that are used side by side.

        Both were made before either was used. One that is used up before the next is made belongs
        to an experiment that is repeated.
        """
        for (made, place), seeded in tuple(self._seeded.items()):  # other threads add some
            if made == identity and seeded.has(first) and seeded.has(second):
                self._recorder.note_at(SameSeed(str(len(seeded.keys))), place)

    def _note_shared_key(self, frame: FrameType, key: Any, function: str) -> None:
        """Record a draw in a mapped function from a key that is not mapped."""
        if function == "split" or tracing.transformation_of(key) == "vmap":
            return
        mapped = [n for n, v in frame.f_locals.items() if _is_mapped(v)]
        place = self._recorder.place_of(frame)
        if mapped and place is not None:
            self._recorder.note_at(KeyForAll(tuple(mapped)), place)
            self._seeded_keys.look_at_shared(key, place)

    def _note_shared_mask(self, frame: FrameType, key: Any) -> None:
        """Record a layer of dropout in a mapped model that draws one mask for all examples."""
        is_layer = str(frame.f_globals.get("__name__", "")).endswith(".nn._dropout")
        if not is_layer or tracing.transformation_of(key) == "vmap":
            return
        outside = places.frame_outside_map(frame)
        if outside is not None and any(map(_is_mapped, frame.f_locals.values())):
            self._recorder.note(KeyForAll(is_dropout=True), outside)

    def _note_equal_keys(self, frame: FrameType, key: Any) -> None:
        """Record a mapped function that draws from an array in which every key is the same."""
        count = tracers.equal_keys_in(key) if _is_mapped(key) else 0
        outside = places.frame_outside_map(frame) if count else None
        place = self._recorder.place_of(frame)
        if outside is not None and place is not None:
            self._recorder.note(EqualKeys(count), outside)
            self._seeded_keys.look(tracers.mapped_value(key), place)

    def _note_key(self, frame: FrameType, key: Any, function: str) -> None:
        identity, kept = tracers.identity_of_key(key)
        place = self._recorder.place_of(frame)
        if identity is None or place is None or tracing.is_staging():
            return  # programs are read when they are called
        use = _Use(place, key if kept is None else kept, self._experiment, function)
        first = self._first.setdefault(identity, use)
        if first is use:
            return
        if first.experiment == use.experiment and first.key is not key:
            self._note_same_seed(identity, first.key, key)
        if first.experiment != use.experiment and first.key is not use.key:
            self._first[identity] = use
            return
        name = next((n for n, v in frame.f_locals.items() if v is key), "")
        if first.place == place:
            self._recorder.note_at(KeyReuse(name), place)
            return
        is_split = function == "split" and first.function != "split"
        seen = KeyReuse(name or first_argument(place), first.place.span.line, is_split)
        self._recorder.note_at(seen, place)


def _is_mapped(value: object) -> bool:
    return tracers.is_tracer(value) and tracing.transformation_of(value) == "vmap"
