"""Records the keys that a compiled program uses twice, at the learner's expressions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import product
from types import FrameType
from typing import Any

from jaxtutor.core.data.observations import KeyCaptured, KeyForAll, KeyInLoop, KeyReuse, KeyTwice
from jaxtutor.core.data.positions import Frame
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.calls import passed_arguments
from jaxtutor.core.diagnosis.words import KEYS, says
from jaxtutor.worker import positions
from jaxtutor.worker.internals import places, tracers
from jaxtutor.worker.watching.key_flow import MOST_EQUATIONS, KeyFlow, LoopUse, Use
from jaxtutor.worker.watching.recorder import Recorder
from jaxtutor.worker.watching.seeded_keys import note_seed

MOST_IN_ALL = 200_000
"""Equations that are followed in all programs of a run."""


class KeyReports:
    """Reads the uses of keys in programs, each once. `count` is how many keys they use."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self.count = 0
        self._left = MOST_IN_ALL

    def look(self, closed: Any, caller: FrameType | None) -> KeyFlow:
        """Record what is wrong with the keys of a program that is called from a frame."""
        flow = KeyFlow(closed, min(self._left, MOST_EQUATIONS))
        self._left -= min(self._left, MOST_EQUATIONS) - max(flow.left, 0)
        self.count += flow.count
        for first, second in flow.pairs:
            self._note_pair(first, second)
        self._note_loops(flow.in_loops)
        outside = places.frame_outside_map(caller)
        mapping = places.direct_caller(outside, self._recorder.is_own)
        around = self._recorder.place_of(mapping)
        for use in flow.mapped:
            if around is not None or use.is_mapped:
                self._note_mapped(use, around)
        for use, seed in flow.seeded:
            drawn = self._place(use)
            is_mapped = around is not None or use.is_mapped
            if is_mapped and drawn is not None and not self._is_librarys(use):
                frames = places.frames_of(seed[-1].source_info, self._recorder.is_own)
                note_seed(self._recorder.note_at, frames, drawn, is_shared=True)
        return flow

    def _note_pair(self, first: Use, second: Use) -> None:
        """Record two uses of a key at the expressions in which their paths part."""
        one, other = self._frames(first), self._frames(second)
        if not one or not other:
            return
        is_split = second.is_split and not first.is_split
        if one == other:
            if not self._is_librarys(second):
                self._recorder.note_at(KeyReuse(first_argument(other[-1])), other[-1])
            return
        n = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), -1)
        before, after = one[n], other[n]
        if n < 0 or (before.file, before.function) != (after.file, after.function):
            return
        line = before.span.line
        ends = n == len(one) - 1 and n == len(other) - 1
        if ends and not self._is_librarys(first) and not self._is_librarys(second):
            key, earlier = first_argument(after), first_argument(before)
            is_renamed = second.is_row and earlier != key
            seen = KeyReuse(key, line, is_split, earlier if is_renamed else "")
            self._recorder.note_at(seen, after)
            return
        for before, after in product(one[n:], other[n:]):  # a function may read it from outside
            name = _name_in_both(before, after)
            if name:
                self._recorder.note_at(KeyTwice(name, before.span.line, is_traced=True), after)
                return

    def note_captured(self, use: Use, closed: Any) -> None:
        """Record a draw from a key that a program holds, at the learner's expression.

        A library draws from what it was given.
        """
        where = tracers.program_place(closed.jaxpr)
        function = where[0].rpartition(".")[2] if where is not None else ""
        info, is_own = use.path[-1].source_info, self._recorder.is_own
        is_librarys = places.is_librarys(info, is_own)
        place = places.library_entry(info, function, is_own) if is_librarys else self._place(use)
        if place is not None and function:
            self._recorder.note_at(KeyCaptured(function), place)

    def _note_loops(self, uses: list[LoopUse]) -> None:
        """Record draws in the learner's loops from a key that is the same in each round.

        A library that draws from other keys too, in the same call, makes them from that one.
        """
        varied = {self._place(it.use) for it in uses if not it.is_same}
        for it in uses:
            place = self._place(it.use)
            if not it.is_same or place is None or it.loop.params.get("length") == 1:
                continue
            is_librarys = self._is_librarys(it.use)
            if places.is_librarys(it.loop.source_info, self._recorder.is_own):
                continue
            if not is_librarys:
                self._recorder.note_at(KeyInLoop(), place)
            elif place not in varied:
                body, is_own = _called_function(it.loop), self._recorder.is_own
                entry = places.library_entry(it.use.path[-1].source_info, body, is_own)
                self._recorder.note_at(KeyInLoop(is_librarys=True), entry or place)

    def _note_mapped(self, use: Use, around: Frame | None) -> None:
        """Record a call of `vmap` in which a library draws from one key for all examples."""
        if not self._is_librarys(use):
            return  # the learner's own draws are recorded when they are mapped
        is_own = self._recorder.is_own
        inner = (places.map_around(e.source_info, is_own) for e in reversed(use.path))
        place = next((place for place in inner if place is not None), around)
        library = places.library_call(use.path[-1].source_info)
        if place is not None and library:
            self._recorder.note_at(KeyForAll(library=library), place)

    def _frames(self, use: Use) -> list[Frame]:
        """Return the learner's expressions on the way to a use, outermost first."""
        frames: list[Frame] = []
        function = ""
        for equation in use.path:
            own = places.frames_of(equation.source_info, self._recorder.is_own)[::-1]
            starts = [n for n, frame in enumerate(own) if frame.function == function]
            if function and starts:  # JAX keeps a program with the calls that first led to it
                own = own[starts[0] :]
            frames += [frame for frame in own if frame not in frames]
            function = _called_function(equation)
        return frames

    def _place(self, use: Use) -> Frame | None:
        return places.place_of(use.path[-1], self._recorder.is_own)

    def _is_librarys(self, use: Use) -> bool:
        return places.is_librarys(use.path[-1].source_info, self._recorder.is_own)


def _called_function(equation: Any) -> str:
    """Return the name of the function whose program an equation runs."""
    params = equation.params
    inner = params.get("jaxpr") or params.get("body_jaxpr") or params.get("call_jaxpr")
    where = tracers.program_place(getattr(inner, "jaxpr", inner))
    return where[0].rpartition(".")[2] if where is not None else ""


def _call_at(place: Frame) -> tuple[Module, ast.Call] | None:
    """Return the call at a place; None for another expression."""
    module = positions.module_of(place.file)
    node = module.node_at(place.span) if module is not None else None
    node = node.value if isinstance(node, ast.Expr) else node
    return (module, node) if module is not None and isinstance(node, ast.Call) else None


def arguments_at(place: Frame) -> list[ast.expr]:
    """List the arguments of the call at a place; empty for another expression."""
    found = _call_at(place)
    return passed_arguments(found[1]) if found is not None else []


def first_argument(place: Frame) -> str:
    """Return the text of the first argument of the call at a place, such as `self.key`."""
    found = _call_at(place)
    given = found[1].args[:1] if found is not None else []
    return found[0].text(given[0]) if found is not None and given else ""


def _name_in_both(one: Frame, other: Frame) -> str:
    """Return the name of the key that two calls are given; empty if it is not clear."""
    drawn = [first_argument(place) for place in (one, other) if _is_draw(place)]
    before = set(_paths_at(one))
    common = [path for path in dict.fromkeys(_paths_at(other)) if path in before]
    keys = [path for path in common if path in drawn or says(path, KEYS)] or common
    return keys[0] if len(keys) == 1 else ""


def _is_draw(place: Frame) -> bool:
    found = _call_at(place)
    return found is not None and (found[0].dotted(found[1].func) or "").startswith("jax.random.")


def _paths_at(place: Frame) -> Iterator[str]:
    """Yield the names and attributes in the arguments of the call at a place."""
    for node in (n for argument in arguments_at(place) for n in ast.walk(argument)):
        path = path_of(node) if isinstance(node, ast.Name | ast.Attribute) else None
        if path is not None:
            yield path
