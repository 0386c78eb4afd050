"""Runs the programs of tests in forks of one process that has imported jax."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from unittest.mock import patch

from jaxtutor.processes import spawn
from jaxtutor.processes.runner import Runner
from jaxtutor.processes.spawn import PROGRAM, Kind, Process, for_trial
from jaxtutor.processes.templates import Templates

LONGEST = 600.0
"""Seconds for which the process waits for its first program."""


class Forks(Templates):
    """Templates from which a program's first run starts too, and not only those with an edit.

    Users get a new process for the first run, since their program may set up jax before it imports
    it. A program of a test that does not do so reports the same from a fork, as `test_trial_forks`
    shows.
    """

    def fork(self, kind: Kind) -> Process | None:
        """Fork a program's first run as one of its later runs would be."""
        is_first = kind.program == PROGRAM and not (kind.is_trial or kind.shares_terminal)
        return super().fork(replace(kind, is_trial=True, is_forked=True) if is_first else kind)


@contextmanager
def forking_runner() -> Iterator[Runner]:
    """Yield a runner for the programs of a test file; where it cannot fork, it starts each."""
    templates = Forks()
    templates.prepare(for_trial("cpu", is_forked=True), LONGEST)
    with closing(Runner(templates=templates)) as runner:
        yield runner


@contextmanager
def forked_workers() -> Iterator[None]:
    """Fork the workers that this process starts for lessons, as `lesson test` does."""
    start = spawn.start

    def fork(kind: Kind) -> Process:
        return templates.fork(kind) or start(kind)

    with closing(Templates()) as templates, patch.object(spawn, "start", fork):
        yield
