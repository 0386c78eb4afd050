"""Runs programs in separate processes and reads their results."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jaxtutor.core.data.failures import Failure
from program_runner import Ran

RUNNER = Path(__file__).with_name("program_runner.py")
STARTS, PATIENCE = 120.0, 15.0
"""Seconds until the first program runs on a busy machine, and those that each one may add."""


def run_programs(items: Sequence[str]) -> dict[str, Ran]:
    """Run programs, each in a process of its own, two at a time; give outcomes by path."""
    shares = [share for share in (items[0::2], items[1::2]) if share]
    with ThreadPoolExecutor() as threads:  # a process whose output is not read would have to wait
        texts = [*threads.map(_run_in_turn, shares)]
    outcomes = [msgspec.json.decode(line, type=Ran) for text in texts for line in text.splitlines()]
    return {outcome.path: outcome for outcome in outcomes}


def _run_in_turn(items: Sequence[str]) -> bytes:
    """Return the outcomes of programs that run one after another, a line of JSON for each."""
    command = [sys.executable, "-W", "ignore", str(RUNNER), *items]
    limit = STARTS + PATIENCE * len(items)
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=limit, check=False
    ).stdout


def selected(request: pytest.FixtureRequest, name: str) -> list[Any]:
    """List the values of a parameter of the tests of a module that are about to use a fixture.

    A module-scoped fixture runs their programs together, and no others.
    """
    items = (item for item in request.session.items if item.path == request.path)
    users = (item for item in items if request.fixturename in getattr(item, "fixturenames", ()))
    params = (item.callspec.params for item in users if hasattr(item, "callspec"))
    return list(dict.fromkeys(each[name] for each in params if name in each))


def of_cause(cause: str, *values: Any, slow: bool = False, needs: Sequence[str] = ()) -> Any:
    """Return a test's parameters, marked with the cause that it is of and the libraries."""
    marks = [pytest.mark.cause(cause), *([pytest.mark.slow] if slow else []), *without(needs)]
    return pytest.param(*values, marks=marks)


def without(needs: Sequence[str]) -> list[pytest.MarkDecorator]:
    """Return the mark that skips a test where one of its libraries is not installed."""
    missing = [name for name in needs if importlib.util.find_spec(name) is None]
    reason = f"needs {', '.join(missing)}: install the extra `libraries`"
    return [pytest.mark.skip(reason=reason)] if missing else []


class Failing:
    """Runs programs that are to fail, each when it is asked for, in forks of one process."""

    def __init__(self) -> None:
        command = [sys.executable, "-W", "ignore", str(RUNNER), "-"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
        )

    def failure_of(self, source: str, folder: Path) -> Failure:
        """Return the failure of a program, which is written into a folder."""
        path = folder / "program.py"
        path.write_text(source)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{path}\n")
        self.process.stdin.flush()
        failure = msgspec.json.decode(self.process.stdout.readline(), type=Ran).failure
        assert failure is not None
        return failure

    def close(self) -> None:
        """End the process."""
        self.process.communicate()
