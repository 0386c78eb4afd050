"""Finds calls that stand alone as statements and answer False each time: they did nothing.

`manager.save(step, …)` returns False if it has not saved. What a statement drops can be seen only
by `sys.monitoring`, from Python 3.12 on. Its events are set in the learner's own code, and in the
functions that are called there, so that no other code becomes slower.
"""

from __future__ import annotations

import ast
import functools
import sys
import weakref
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import CodeType, FrameType, FunctionType
from typing import Any

from jaxtutor.core.data.observations import AnsweredFalse
from jaxtutor.core.data.positions import Frame, Span
from jaxtutor.worker import positions
from jaxtutor.worker.internals import places
from jaxtutor.worker.watching.executed_code import FREE_TOOLS, MONITORING
from jaxtutor.worker.watching.recorder import Recorder

LEAST_CALLS = 2  # of one object that answered False, and none of them True
MOST_OBJECTS = 200


class _Answers:
    """What one object answered to the calls at one place."""

    def __init__(self, receiver: Any) -> None:
        self.receiver = weakref.ref(receiver)
        self.false = 0
        self.others = 0


class DroppedAnswers:
    """Counts what methods of libraries answer where a statement drops it, for each object."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._tool: int | None = None
        self._observed = set[CodeType]()
        self._answers = defaultdict[Frame, list[_Answers]](list)
        self._statements = functools.cache(_method_statements)

    def start(self) -> Callable[[], None]:
        """Start observing, in the code that runs too. Return a function that stops it."""
        if MONITORING is not None:
            self._tool = next((n for n in FREE_TOOLS if MONITORING.get_tool(n) is None), None)
        if self._tool is not None:
            events = MONITORING.events
            MONITORING.use_tool_id(self._tool, "jaxtutor answers")
            for event, callback in (
                (events.PY_START, self._started),
                (events.CALL, self._called),
                (events.PY_RETURN, self._returned),
            ):
                MONITORING.register_callback(self._tool, event, callback)
            MONITORING.set_events(self._tool, events.PY_START)
            frame: FrameType | None = sys._getframe(1)
            while frame is not None:
                self._started(frame.f_code, 0)
                frame = frame.f_back
        return self._stop

    def _stop(self) -> None:
        """Stop observing. Python up to 3.13 keeps the events of single code objects otherwise."""
        if self._tool is not None:
            MONITORING.set_events(self._tool, 0)
            for code in self._observed:
                MONITORING.set_local_events(self._tool, code, 0)
            events = MONITORING.events
            for event in (events.PY_START, events.CALL, events.PY_RETURN):
                MONITORING.register_callback(self._tool, event, None)
            MONITORING.free_tool_id(self._tool)
            self._tool = None
            self._observed.clear()

    def _observe(self, code: CodeType, event: int) -> None:
        """Ask for an event of a code object, while the run is observed."""
        if self._tool is not None:
            self._observed.add(code)
            MONITORING.set_local_events(self._tool, code, event)

    def forget(self) -> None:
        """Discard what was recorded."""
        self._answers.clear()

    def observations(self) -> Iterator[AnsweredFalse]:
        """Yield the statements at which an object answered False to each of several calls."""
        for place, answers in self._answers.items():
            most = max((it.false for it in answers if not it.others), default=0)
            if most >= LEAST_CALLS:
                yield AnsweredFalse(most, frame=place)

    # ------------------------------------------------------------ events

    def _started(self, code: CodeType, _offset: int) -> object:
        """Ask for the calls in code of the learner's that has statements of that kind."""
        if self._recorder.is_own(code.co_filename) and self._statements(code.co_filename):
            self._observe(code, MONITORING.events.CALL)
        return MONITORING.DISABLE

    def _called(self, code: CodeType, offset: int, function: Any, _first: object) -> object:
        """Ask for the answers of a method of a library that is called by a statement alone."""
        if positions.span_at(code, offset) in self._statements(code.co_filename):
            function = getattr(function, "__func__", function)
            if isinstance(function, FunctionType):
                file = function.__code__.co_filename
                if not self._recorder.is_own(file) and not places.is_neutral(file):
                    self._observe(function.__code__, MONITORING.events.PY_RETURN)
        return MONITORING.DISABLE

    def _returned(self, code: CodeType, _offset: int, answer: object) -> object:
        """Count an answer, if a statement of the learner's drops it."""
        if answer is None:
            return MONITORING.DISABLE
        with suppress(Exception):  # this must never change what the learner sees
            frame = sys._getframe(1)
            caller = frame.f_back
            if caller is not None and code.co_argcount and self._recorder.is_learners(caller):
                place = self._recorder.place_of(caller)
                if place is not None and place.span in self._statements(place.file):
                    self._count(place, frame.f_locals[code.co_varnames[0]], answer)
        return None

    def _count(self, place: Frame, receiver: Any, answer: object) -> None:
        known = self._answers[place]
        found = next((it for it in known if it.receiver() is receiver), None)
        if found is None and len(known) < MOST_OBJECTS:
            found = _Answers(receiver)
            known.append(found)
        if found is not None:
            found.false += answer is False
            found.others += answer is not False


def _method_statements(file: str) -> frozenset[Span]:
    """Return the places of the calls of methods that stand alone as statements."""
    module = positions.module_of(file)
    if module is None:
        return frozenset()
    return frozenset(
        module.span(node.value)
        for node in module.nodes
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute)
    )
