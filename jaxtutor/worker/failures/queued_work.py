"""Remembers where threads are started: what fails in one reaches the program at a later call.

A checkpoint that is written in the background raises in its thread, and the program hears of it in
`wait_until_finished`, or in the next `save`. The mistake is in the call that queued the work, and
the names of that moment are described then, because they change.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import thread as pools
from functools import wraps
from types import FrameType
from typing import NamedTuple
from weakref import WeakKeyDictionary

from jaxtutor.core.data.failures import NameFact
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker import positions
from jaxtutor.worker.failures.name_facts import facts_of
from jaxtutor.worker.internals.places import IsOwn

Start = Callable[[threading.Thread], None]
MOST_THREADS = 200
"""Threads of which it is remembered. A program that starts more has other work in them."""


class StartedAt(NamedTuple):
    """The learner's frames when a thread was started, the innermost last, and their names."""

    frames: tuple[Frame, ...]
    names: tuple[tuple[NameFact, ...], ...]


_STARTED: WeakKeyDictionary[threading.Thread, StartedAt] = WeakKeyDictionary()


def remembering(original: Start, is_own: IsOwn) -> Start:
    """Return the function that starts a thread, so that it remembers where it is called."""

    @wraps(original)
    def start(thread: threading.Thread) -> None:
        with contextlib.suppress(Exception):  # a program must start its threads in any case
            _remember(thread, sys._getframe(1), is_own)
        original(thread)

    return start


def _remember(thread: threading.Thread, frame: FrameType | None, is_own: IsOwn) -> None:
    """Remember the learner's frames of a start; a thread that a thread starts has those of it."""
    if len(_STARTED) >= MOST_THREADS or getattr(thread, "_target", None) is pools._worker:
        return  # a thread of a pool works for all of its callers
    own: list[FrameType] = []
    while frame is not None:
        if is_own(frame.f_code.co_filename):
            own.insert(0, frame)
        frame = frame.f_back
    if own:
        names = tuple(facts_of(f, f.f_lineno, is_own) for f in own)
        _STARTED[thread] = StartedAt(tuple(map(_frame, own)), names)
    elif (above := _STARTED.get(threading.current_thread())) is not None:
        _STARTED[thread] = above


def _frame(frame: FrameType) -> Frame:
    code = frame.f_code
    span = positions.span_at(code, frame.f_lasti)
    span = span or positions.whole_line(code.co_filename, frame.f_lineno)
    return Frame(code.co_filename, code.co_name, span)


def start_behind(frames: Iterable[FrameType]) -> StartedAt | None:
    """Return where the first thread was started that one of some frames belongs to."""
    for frame in frames:
        if frame.f_code is threading.Thread.run.__code__:
            return _STARTED.get(frame.f_locals["self"])
    return None
