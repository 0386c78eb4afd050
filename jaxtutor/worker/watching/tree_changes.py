"""Finds trees that lost leaves: in a map that returned None, or between two rounds of a loop."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterator
from contextlib import suppress
from types import FrameType, FunctionType
from typing import Any

import jax
import jax.tree_util as jtu
import numpy as np

from jaxtutor.core.data.observations import LeafLost, NoneForLeaves
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker import positions
from jaxtutor.worker.internals import places, tracers
from jaxtutor.worker.watching.call_variables import variables_given
from jaxtutor.worker.watching.recorder import Recorder
from jaxtutor.worker.watching.tree_maps import MappedTree

MOST_MAPS = 2  # calls of `jax.tree.map` at one place that are compared
MOST_CALLERS = 4  # of the learner's frames around a call
MOST_LOOKS = 8  # at the variables of a call at one place
MOST_PLACES = 200
MOST_LEAVES = 2_000  # of one variable
_ARRAYS = (jax.Array, np.ndarray)


class TreeChanges:
    """Compares trees before and after: what a map returned, what the next round is given."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._given: dict[tuple[int, int], _VariablesOfCall] = {}

    def forget(self) -> None:
        """Discard what was recorded."""
        self._given.clear()

    # ------------------------------------------------------------ maps

    def look_at_map(self, call: MappedTree) -> None:
        """Record a function of the learner's that returned None for some arrays, not for others."""
        function = _innermost(call.function)
        if call.calls > MOST_MAPS or function is None:
            return
        code = function.__code__
        if not self._recorder.is_own(code.co_filename):
            return
        structure: Any
        paths, structure = jtu.tree_flatten_with_path(call.tree, is_leaf=call.is_leaf)
        results = structure.flatten_up_to(call.result)
        pairs = list(zip(paths, results, strict=True))
        lost = [path for (path, leaf), made in pairs if made is None and isinstance(leaf, _ARRAYS)]
        kept = [made for _, made in pairs if isinstance(made, _ARRAYS)]
        if lost and kept:
            place = Frame(
                code.co_filename,
                function.__name__,
                positions.whole_line(code.co_filename, code.co_firstlineno),
            )
            at = self._recorder.place_of(call.caller)
            seen = NoneForLeaves(jtu.keystr(lost[0]), len(lost), len(pairs), at)
            self._recorder.note_at(seen, place)

    # ------------------------------------------------------------ rounds

    def look_at_gradient(self, caller: FrameType, args: Any) -> None:
        """Look at the call of a gradient, unless it is being traced."""
        with suppress(Exception):  # this must never change what the learner sees
            if not any(map(tracers.is_tracer, jax.tree.leaves(args))):
                self.look_at_call(caller)

    def look_at_call(self, frame: FrameType | None) -> None:
        """Compare the variables in a call, and in those around it, with the same call before.

        What a round loses by binding a variable again, it loses in the first one. So a variable is
        compared when it is another object for the first time.
        """
        for caller in self._callers(frame):
            at = (id(caller.f_code), caller.f_lasti)
            known = self._given.get(at)
            if known is None and len(self._given) < MOST_PLACES:
                known = self._given[at] = _VariablesOfCall()
            if known is not None and known.looks < MOST_LOOKS:
                known.looks += 1
                self._compare(known.trees, caller)

    def _compare(self, trees: dict[str, _Tree | None], caller: FrameType) -> None:
        place = self._recorder.place_of(caller)
        for name, value in variables_given(caller, place) if place is not None else ():
            before = trees.setdefault(name, _Tree.of(value))
            if before is None or before.identity == id(value):
                continue
            trees[name] = None
            lost = before.lost_in(_Tree.of(value))
            if lost:
                path = f"{name}{jtu.keystr(lost[0])}"
                seen = LeafLost(name, path, len(lost), before.is_function[lost[0]])
                self._recorder.note(seen, caller)

    def _callers(self, frame: FrameType | None) -> Iterator[FrameType]:
        """Yield the learner's frames, innermost first."""
        for _ in range(MOST_CALLERS):
            frame = places.own_caller(frame, self._recorder.is_own)
            if frame is None:
                return
            yield frame
            frame = frame.f_back


class _VariablesOfCall:
    """The variables of a call at one place: as they were first, None once they were compared."""

    def __init__(self) -> None:
        self.looks = 0
        self.trees: dict[str, _Tree | None] = {}


class _Tree:
    """The leaves of a tree, without their values: whether each is a function."""

    def __init__(self, value: Any) -> None:
        leaves = jtu.tree_flatten_with_path(value, is_leaf=lambda it: it is None)[0]
        self.identity = id(value)
        self.kind = type(value)
        self.nones = {path for path, leaf in leaves if leaf is None}
        self.is_function = {path: callable(leaf) for path, leaf in leaves if leaf is not None}

    @staticmethod
    def of(value: Any) -> _Tree | None:
        """Return the leaves of a value; None if it has too many, or is not a tree."""
        with suppress(Exception):
            structure: Any = jax.tree.structure(value)
            if 0 < structure.num_leaves <= MOST_LEAVES:
                return _Tree(value)
        return None

    def lost_in(self, later: _Tree | None) -> list[tuple[Any, ...]]:
        """List the paths of the leaves that a later tree of this class has None for.

        Those of functions come first.
        """
        if later is None or later.kind is not self.kind:
            return []
        lost = [path for path in self.is_function if path in later.nones]
        is_part = len(lost) < len(self.is_function)
        return sorted(lost, key=lambda path: not self.is_function[path]) if is_part else []


def _innermost(function: Any) -> FunctionType | None:
    """Return the function of Python's behind partials and wrappers."""
    while isinstance(function, functools.partial):
        function = function.func
    function = inspect.unwrap(function)
    return function if isinstance(function, FunctionType) else None
