"""Records random keys that are used twice, also where a key was passed on before it was used.

A draw is followed outwards through the learner's calls. The call that was given the same key both
times is where the program should have made a new one.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

import numpy as np

from jaxtutor.core.data.observations import KeyAgain, KeyForLeaves, KeyKept, KeyTwice
from jaxtutor.core.data.positions import Frame
from jaxtutor.core.diagnosis.engine.source import path_of
from jaxtutor.worker import positions
from jaxtutor.worker.failures.frame_values import reach
from jaxtutor.worker.internals import places, tracers
from jaxtutor.worker.internals.tracers import is_tracer
from jaxtutor.worker.watching.key_flow import KeyFlow, is_key
from jaxtutor.worker.watching.key_reports import KeyReports, arguments_at
from jaxtutor.worker.watching.recorder import Recorder
from jaxtutor.worker.watching.repeated_calls import RepeatedCalls

MOST_FOLLOWED = 500  # draws whose callers are recorded: a loop repeats itself long before
MOST_AT_A_PLACE = 100  # of these from one call: a round of a loop shows what the others do
MOST_KEYS = 1_000  # that are kept, which is 16 bytes and an object each
DEEPEST = 60  # frames between a draw and the script


@dataclass(frozen=True)
class _Level:
    """One of the learner's calls on the way to a draw."""

    activation: int
    receiver: int  # the object whose method this is, or 0
    code: CodeType
    instruction: int


class KeyUses:
    """Follows the keys that are drawn from, by the identity of the key's object."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._kept: dict[int, tuple[Any, list[_Level]]] = {}  # the key too: its id stays its own
        self._elements: dict[object, list[_Level]] = {}  # by the bits of a key
        self._reports = KeyReports(recorder)
        self._repeated: dict[int, RepeatedCalls] = {}  # by the program
        self._drawn_for_leaf: tuple[int, int] | None = None  # the leaves and the key, while in use
        self._followed = 0
        self._draws: Counter[tuple[CodeType, int]] = Counter()

    def forget(self) -> None:
        """Discard what was recorded."""
        self._kept.clear()
        self._elements.clear()
        self._repeated.clear()
        self._followed = 0
        self._draws.clear()

    @property
    def count(self) -> int:
        """How many keys were seen to be drawn from."""
        return len(self._kept) + self._reports.count

    def is_due(self, caller: FrameType) -> bool:
        """Count a draw, and return whether to look at it: the first ones of each call."""
        if self._followed >= MOST_FOLLOWED:
            return False
        place = caller.f_code, caller.f_lasti
        self._draws[place] += 1
        return self._draws[place] <= MOST_AT_A_PLACE

    def follow(self, key: Any, caller: FrameType | None) -> None:
        """Compare the calls that led to a draw with those of the same key's first draw."""
        bits = tracers.mapped_value(key) if is_tracer(key) else key
        if not hasattr(bits, "dtype"):  # programs are read when they are called
            return
        self._followed += 1
        frames = self._own_frames(caller)
        levels = [_Level(id(f), _receiver(f), f.f_code, f.f_lasti) for f in frames]
        kept = self._kept.get(id(bits))
        if kept is None:
            self._follow_elements(key, bits, frames, levels)
            if len(self._kept) < MOST_KEYS and levels:
                self._kept[id(bits)] = (bits, levels)
            return
        self._compare(key, frames, levels, kept[1])

    def note_leaves(self, key: Any, caller: FrameType) -> None:
        """Record a draw in the function of `jax.tree.map`, from one key for two of the leaves."""
        leaves = places.leaves_being_mapped(caller)
        drawn = (id(leaves), id(key)) if leaves is not None else None
        if drawn is not None and drawn == self._drawn_for_leaf:
            place = self._recorder.place_of(caller)
            name = next(names_of(key, caller, place), "") if place is not None else ""
            if place is not None and name:
                self._recorder.note_at(KeyForLeaves(name), place)
        self._drawn_for_leaf = drawn

    def _follow_elements(
        self, key: Any, bits: Any, frames: list[FrameType], levels: list[_Level]
    ) -> None:
        """Compare keys with equal ones before: `keys[0]` makes a new object each time."""
        identity, _ = tracers.identity_of_key(bits)
        found = [identity] if identity is not None else tracers.identities_of_keys(bits)
        firsts = [self._elements.setdefault(it, levels) for it in found if levels]
        first = next((it for it in firsts if it is not levels), None)
        if first is not None and len(self._elements) <= MOST_KEYS:
            self._compare(key, frames, levels, first)

    def places_of(self, caller: FrameType | None) -> list[Frame]:
        """Return what the learner's frames execute, innermost first."""
        found = map(self._recorder.place_of, self._own_frames(caller)[::-1])
        return [place for place in found if place is not None]

    def _own_frames(self, caller: FrameType | None) -> list[FrameType]:
        """Return the learner's frames, outermost first."""
        found: list[FrameType] = []
        for _ in range(DEEPEST):
            if caller is None:
                break
            if self._recorder.is_own(caller.f_code.co_filename):
                found.append(caller)
            caller = caller.f_back
        return found[::-1]

    def _compare(
        self, key: Any, frames: list[FrameType], levels: list[_Level], before: list[_Level]
    ) -> None:
        for frame, level, other in zip(frames, levels, before, strict=False):
            is_same_call = level.activation == other.activation
            is_same_object = level.receiver != 0 and level.receiver == other.receiver
            if level.code is not other.code or not (is_same_call or is_same_object):
                return
            if level.instruction != other.instruction:
                if is_same_call:
                    self._note_twice(key, frame, other)
                return
            self._note_again(key, frame, "" if is_same_call else "self.")

    def _note_twice(self, key: Any, frame: FrameType, other: _Level) -> None:
        """Record a call that is given the key of another call in the same function."""
        place = self._recorder.place_of(frame)
        name = next(names_of(key, frame, place), "") if place is not None else ""
        if not name and place is not None:
            name = next(_names_of_equal(key, frame, place), "")
        first = positions.span_at(other.code, other.instruction)
        if name and first is not None:
            self._recorder.note(KeyTwice(name, first.line), frame)

    def _note_again(self, key: Any, frame: FrameType, prefix: str) -> None:
        """Record a call that is given a key again by a name that begins with a prefix."""
        place = self._recorder.place_of(frame)
        given = names_of(key, frame, place) if place is not None else ()
        name = next((name for name in given if name.startswith(prefix)), "")
        if name:
            self._recorder.note(KeyAgain(name), frame)

    def note_compiled(self, closed: Any, args: Any) -> bool:
        """Record what is wrong with the keys of a program that is called for the first time.

        Return whether the program was followed to its end.
        """
        if tracers.draws_numbers(closed.jaxpr):
            return True
        caller = sys._getframe(1)
        flow = self._reports.look(closed, caller)
        where = tracers.program_place(closed.jaxpr)
        is_named = where is not None and (
            self._recorder.is_own(where[1]) or not places.is_neutral(where[1])
        )
        if not any(map(is_tracer, args)):
            self._follow_given(flow, args, caller)
            if is_named:
                self._note_given(closed, args, flow, caller)
        return flow.left >= 0

    def _follow_given(self, flow: KeyFlow, args: Any, caller: FrameType) -> None:
        """Compare the call of a program that draws from a key with other uses of the key."""
        for n in sorted(flow.used_inputs):
            if self._followed < MOST_FOLLOWED:
                self.follow(args[n], caller)

    def _note_given(self, closed: Any, args: Any, flow: KeyFlow, caller: FrameType) -> None:
        """Record the keys that decide draws in a program by themselves."""
        if (flow.decisive or flow.captured) and len(self._repeated) < MOST_KEYS:
            self._repeated[id(closed.jaxpr)] = RepeatedCalls(closed.jaxpr, flow, args)
        keys = [args[n] for inputs in flow.decisive if len(inputs) == 1 for n in inputs]
        frames = self._own_frames(caller) if keys else []
        place = self._recorder.place_of(frames[-1]) if frames else None
        for key in keys:
            for name in names_of(key, frames[-1], place) if place is not None else ():
                self._recorder.note(KeyAgain(name), frames[-1])

    def note_call(self, closed: Any, args: Any) -> bool:
        """Record a key that is the same in each of the first calls of a program; return True."""
        calls = self._repeated.get(id(closed.jaxpr))
        if calls is None or not calls.take(args):
            return True
        del self._repeated[id(closed.jaxpr)]
        frames = self._own_frames(sys._getframe(1))
        place = self._recorder.place_of(frames[-1]) if frames else None
        if place is None:
            return True
        for use in calls.captured_draws():
            self._reports.note_captured(use, closed)
        for n, is_dropped in calls.kept_keys():
            given = next(names_of(args[n], frames[-1], place), "")
            name = given or tracers.argument_name(closed.jaxpr, n)
            if name:
                self._recorder.note(KeyKept(name, is_dropped), frames[-1])
        return True


def _receiver(frame: FrameType) -> int:
    """Return the identity of the object whose method a frame runs; 0 for a function."""
    names = frame.f_code.co_varnames[:1]
    return id(frame.f_locals.get("self", 0)) if names == ("self",) else 0


def names_of(key: Any, frame: FrameType, place: Frame) -> Iterator[str]:
    """Yield the names and attributes in the arguments of a call that stand for a key."""
    for node in (n for argument in arguments_at(place) for n in ast.walk(argument)):
        path = _path(node)
        if path is not None and reach(path, frame)[-1] is key:
            yield path
        elif isinstance(node, ast.Subscript) and _is_element(key, frame, node):
            yield ast.unparse(node)


def _names_of_equal(key: Any, frame: FrameType, place: Frame) -> Iterator[str]:
    """Yield the names in the arguments of a call that stand for a key with the same bits."""
    known = _identities(key)
    for node in (n for argument in arguments_at(place) for n in ast.walk(argument)):
        path = _path(node)
        value = reach(path, frame)[-1] if path is not None else None
        if path is not None and is_key(value) and _identities(value) & known:
            yield path


def _identities(key: Any) -> set[object]:
    """Return what identifies the bits of a key, or of the keys that a tracer of `vmap` has."""
    bits = tracers.mapped_value(key) if is_tracer(key) else key
    return {tracers.identity_of_key(bits)[0], *tracers.identities_of_keys(bits)} - {None}


def _path(node: ast.AST) -> str | None:
    return path_of(node) if isinstance(node, ast.Name | ast.Attribute) else None


def _is_element(key: Any, frame: FrameType, node: ast.Subscript) -> bool:
    """Return whether `keys[2]`, with a number written out, is a key."""
    path, index = path_of(node.value), getattr(node.slice, "value", None)
    keys = reach(path, frame)[-1] if path is not None else None
    bits = getattr(keys, "_base_array", keys)
    if type(index) is not int or is_tracer(bits) or not hasattr(bits, "dtype"):
        return False
    rows = np.asarray(bits)
    identity, _ = tracers.identity_of_key(key)
    return rows.ndim == 2 and index < len(rows) and rows[index].tobytes() == identity
