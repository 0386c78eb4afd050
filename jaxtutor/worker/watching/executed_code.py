"""Records which of the learner's code runs, by `sys.monitoring`.

Each function costs one call the first time that it starts, so the cost is too small to measure.
Before Python 3.12 it records only what it is given.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import CodeType, FrameType
from typing import Any

from jaxtutor.worker.internals.places import IsOwn

MONITORING: Any = getattr(sys, "monitoring", None)
FREE_TOOLS = (4, 3)
"""Numbers that Python reserves for no kind of tool."""


class ExecutedCode:
    """A context manager that records the learner's code objects, by their files.

    The code that is running when it begins is among them: `frame` and its callers.
    """

    def __init__(self, is_own: IsOwn, frame: FrameType | None) -> None:
        self._is_own = is_own
        self._found: dict[str, dict[int, CodeType]] = {}
        self._tool: int | None = None
        while frame is not None:
            self.note(frame.f_code)
            frame = frame.f_back

    @property
    def codes(self) -> Mapping[str, tuple[CodeType, ...]]:
        """The code that ran, by the names of its files."""
        return {file: tuple(codes.values()) for file, codes in self._found.items()}

    def note(self, code: CodeType) -> None:
        """Record code that ran, if it is the learner's."""
        if self._is_own(code.co_filename):
            self._found.setdefault(code.co_filename, {})[id(code)] = code

    def __enter__(self) -> ExecutedCode:
        if MONITORING is None:
            return self
        self._tool = next((n for n in FREE_TOOLS if MONITORING.get_tool(n) is None), None)
        if self._tool is not None:
            start = MONITORING.events.PY_START
            MONITORING.use_tool_id(self._tool, "jaxtutor")
            MONITORING.register_callback(self._tool, start, self._started)
            MONITORING.set_events(self._tool, start)
            MONITORING.restart_events()  # what an earlier block has seen starts again
        return self

    def __exit__(self, *_: object) -> None:
        if self._tool is not None:
            MONITORING.set_events(self._tool, 0)
            MONITORING.register_callback(self._tool, MONITORING.events.PY_START, None)
            MONITORING.free_tool_id(self._tool)
            self._tool = None

    def _started(self, code: CodeType, _offset: int) -> object:
        self.note(code)
        return MONITORING.DISABLE
