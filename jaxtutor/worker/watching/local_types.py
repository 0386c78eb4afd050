"""Records the types of the arrays in the learner's functions, when each returns for the first time.

It uses `sys.monitoring`, so the program is not rewritten, and each function costs one call. Before
Python 3.12 it records nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from types import CodeType, FrameType
from typing import Any

from jaxtutor.core.data.facts import LocalTypes

MONITORING: Any = getattr(sys, "monitoring", None)
FREE_TOOLS = (4, 3)
"""Numbers that Python reserves for no kind of tool."""
MOST_FUNCTIONS = 300
MOST_NAMES = 60


class FirstReturns:
    """Records variables from `start` to `stop`. The code of a module counts as a function."""

    def __init__(self, is_own: Callable[[str], bool]) -> None:
        self._is_own = is_own
        self._found: list[LocalTypes] = []
        self._tool: int | None = None

    @property
    def types(self) -> tuple[LocalTypes, ...]:
        """What was recorded, in the order of the returns."""
        return tuple(self._found)

    def start(self) -> None:
        """Begin to record, if Python has a free number for it."""
        if MONITORING is None:
            return
        self._tool = next((n for n in FREE_TOOLS if MONITORING.get_tool(n) is None), None)
        if self._tool is not None:
            event = MONITORING.events.PY_RETURN
            MONITORING.use_tool_id(self._tool, "jaxtutor-types")
            MONITORING.register_callback(self._tool, event, self._returned)
            MONITORING.set_events(self._tool, event)

    def stop(self) -> None:
        """End the recording."""
        if self._tool is not None:
            MONITORING.set_events(self._tool, 0)
            MONITORING.register_callback(self._tool, MONITORING.events.PY_RETURN, None)
            MONITORING.free_tool_id(self._tool)
            self._tool = None

    def _returned(self, code: CodeType, _offset: int, _result: object) -> object:
        # An exception here would be raised in the learner's program.
        with suppress(Exception):
            if "jax" in sys.modules and self._is_own(code.co_filename):
                self._record(sys._getframe(1))
        return MONITORING.DISABLE

    def _record(self, frame: FrameType) -> None:
        from jaxtutor.worker.failures.name_facts import array_type

        if len(self._found) >= MOST_FUNCTIONS:
            return
        named = ((name, array_type(value)) for name, value in list(frame.f_locals.items()))
        types = islice(((n, type_) for n, type_ in named if type_ and n.isidentifier()), MOST_NAMES)
        code = frame.f_code
        found = LocalTypes(code.co_filename, code.co_name, frame.f_lineno, tuple(types))
        if found.names:
            self._found.append(found)
