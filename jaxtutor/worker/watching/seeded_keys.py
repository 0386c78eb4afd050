"""Follows keys of constant seeds from where a function makes them to where rows draw from them.

A function that `vmap` maps makes such a key once for all rows. So every row draws the same numbers,
at once or in a later call, if the key is returned as a part of each row's state.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from types import FrameType
from typing import Any

import numpy as np

from jaxtutor.core.data.observations import SeedForRows
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker import positions
from jaxtutor.worker.internals import places, tracers
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.watching.operations import Note
from jaxtutor.worker.watching.wide_values import Value

MOST_KEYS = 1_000
"""Keys whose bits are remembered; each is a few bytes."""
_DERIVING = ("random_split", "random_fold_in")
_USING = (*_DERIVING, "random_bits", "random_gamma", "jit", "pjit")


class SeededKeys:
    """Remembers keys by their bits, with the learner's frames that made them, innermost first."""

    def __init__(self, is_own: IsOwn, note: Note) -> None:
        self._is_own, self._note = is_own, note
        self._origins: dict[bytes, Sequence[Frame]] = {}

    def forget(self) -> None:
        """Discard what was recorded."""
        self._origins.clear()

    def remember(self, keys: Any, frames: Sequence[Frame]) -> None:
        """Remember where keys come from."""
        for row in tracers.rows_of_keys(keys):
            if frames and len(self._origins) < MOST_KEYS:
                self._origins.setdefault(row.tobytes(), frames)

    def derive(self, key: Any, made: Any) -> None:
        """Give the keys that are made from a key its origin."""
        self.remember(made, self._origin_of(key))

    def look(self, keys: Any, drawn: Frame) -> None:
        """Record a draw of each row, from one of several keys, if all of them are one key."""
        rows = tracers.rows_of_keys(keys)
        if len(rows) > 1 and (rows == rows[0]).all():
            note_seed(self._note, self._origins.get(rows[0].tobytes(), ()), drawn)

    def look_at_shared(self, key: Any, drawn: Frame) -> None:
        """Record a draw of all rows from a single key."""
        note_seed(self._note, self._origin_of(key), drawn, is_shared=True)

    def take(
        self,
        equation: Any,
        ins: Sequence[Value],
        outs: Sequence[Value | None],
        place: Frame | None,
    ) -> None:
        """Look at an operation of a program: whether it makes keys, or draws from them."""
        name = equation.primitive.name
        if name == "random_seed" and hasattr(equation.invars[0], "val") and outs[0] is not None:
            self.remember(outs[0].narrow, places.frames_of(equation.source_info, self._is_own))
        if not self._origins or name not in _USING:
            return
        for value in ins:
            if isinstance(value.narrow, np.ndarray):  # numbers, not keys
                continue
            if name in _DERIVING and outs[0] is not None:
                self.derive(value.narrow, outs[0].narrow)
            if place is not None:
                self.look(value.narrow, place)

    def _origin_of(self, key: Any) -> Sequence[Frame]:
        rows = tracers.rows_of_keys(key)
        return self._origins.get(rows[0].tobytes(), ()) if len(rows) == 1 else ()


def note_seed(note: Note, frames: Sequence[Frame], drawn: Frame, is_shared: bool = False) -> None:
    """Record a key that rows draw from, at the call that makes it.

    The default of a field is made where the object is made without that field.
    """
    if not frames:
        return
    is_default = len(frames) > 1 and _is_in_class(frames[0])
    default = frames[0].span.line if is_default else None
    note(SeedForRows(drawn, default, is_shared), frames[is_default])


def is_class_body(frame: FrameType) -> bool:
    """Return whether a frame runs the body of a class, such as the default of a field."""
    return "__qualname__" in frame.f_locals and "__module__" in frame.f_locals


def _is_in_class(frame: Frame) -> bool:
    """Return whether an expression is of a class, but not of one of its methods."""
    module = positions.module_of(frame.file)
    node = module.node_at(frame.span) if module is not None else None
    if module is None or node is None:
        return False
    around = (type(n) for n in module.ancestors(node))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return next((kind for kind in around if kind in kinds), None) is ast.ClassDef
