"""Owns compiling ahead: XLA compiles one program while the next is traced, several at a time.

Tracing runs the learner's code, so it stays in the one thread and in its order. Compiling runs
none of it. JAX keeps what was compiled with what was traced, and the call that follows finds it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from types import MappingProxyType
from typing import Any

import jax

MOST_THREADS = 4  # a lesson has a handful of programs


class Precompiler:
    """What is being compiled beside this thread, each program once."""

    def __init__(self) -> None:
        threads = min(MOST_THREADS, _count_processors())
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._jobs: dict[int, tuple[Any, Future[Any]]] = {}

    def begin(
        self, compiled: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> Future[Any] | None:
        """Trace a jitted function for these arguments, and have the program compiled.

        Lets out what the function raises while it is traced. None where one processor is all.
        """
        if self._pool is None:
            return None
        lowered = compiled.lower(*args, **kwargs)
        program = getattr(lowered, "_lowering", lowered)  # the same for the same types
        if id(program) not in self._jobs:
            self._jobs[id(program)] = program, self._pool.submit(lowered.compile)
        return self._jobs[id(program)][1]


class PendingProgram:
    """A jitted function with its arguments, to be compiled ahead or only when it is called."""

    def __init__(
        self,
        ahead: Precompiler,
        compiled: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        self._ahead = ahead
        self._compiled = compiled
        self._args = args
        self._kwargs = kwargs
        self._job: Future[Any] | None = None
        self._error: BaseException | None = None

    def begin(self) -> bool:
        """Have it compiled; False if tracing it raised, which the call will raise again."""
        try:
            self._job = self._ahead.begin(self._compiled, self._args, self._kwargs)
        except BaseException as error:  # the submission is traced in here
            self._error = error
        return self._error is None

    def __call__(self) -> Any:
        """Call it, and wait for the answer."""
        if self._error is not None:
            raise self._error
        if self._job is not None:
            wait([self._job])  # what went wrong in there goes wrong again in the call
        return jax.block_until_ready(self._compiled(*self._args, **self._kwargs))


def begin_all(programs: Iterable[PendingProgram]) -> None:
    """Start compiling programs, up to the first whose trace raises: its call ends the check."""
    for program in programs:
        if not program.begin():
            return


def _count_processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
