"""Compiles programs in parallel: XLA compiles some while the next is traced.

Tracing runs the learner's code, so it happens in one thread and in order. Compiling does not run
it. JAX caches the compiled program with the traced one, where the next call finds it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from types import MappingProxyType
from typing import Any

import jax

from jaxtutor.worker.devices import exact_products

MOST_THREADS = 4  # a lesson has a handful of programs


class Precompiler:
    """The programs that other threads are compiling, each of them once."""

    def __init__(self) -> None:
        threads = min(MOST_THREADS, _count_processors())
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._jobs: dict[int, tuple[Any, Future[Any]]] = {}

    def begin(
        self, compiled: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> Future[Any] | None:
        """Trace a jitted function for these arguments and start compiling the program.

        Exceptions that the function raises while it is traced are not caught. Return None on a
        machine with one processor.
        """
        if self._pool is None:
            return None
        lowered = compiled.lower(*args, **kwargs)
        program = getattr(lowered, "_lowering", lowered)  # the same for the same types
        if id(program) not in self._jobs:
            self._jobs[id(program)] = program, self._pool.submit(lowered.compile)
        return self._jobs[id(program)][1]


class PendingProgram:
    """A jitted function with its arguments, compiled in advance or when it is called."""

    def __init__(
        self,
        precompiler: Precompiler,
        compiled: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        self._precompiler = precompiler
        self._compiled = compiled
        self._args = args
        self._kwargs = kwargs
        self._job: Future[Any] | None = None
        self._error: BaseException | None = None

    @property
    def parts(self) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
        """The compiled function and its arguments."""
        return self._compiled, self._args, dict(self._kwargs)

    def begin(self) -> bool:
        """Start compiling. Return False if tracing raised; the call then raises that error."""
        try:
            with exact_products():
                self._job = self._precompiler.begin(self._compiled, self._args, self._kwargs)
        except BaseException as error:  # tracing runs the submission
            self._error = error
        return self._error is None

    def __call__(self) -> Any:
        """Call the function and wait for the result."""
        if self._error is not None:
            raise self._error
        if self._job is not None:
            wait([self._job])  # if compiling failed, the call below fails in the same way
        with exact_products():
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
