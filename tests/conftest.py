"""Skips slow tests unless they are requested, and sets variables that all tests share."""

from __future__ import annotations

import gc
import os
import re
import signal
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PROCESSES = re.compile(
    r"^\s*(import (subprocess|pty|jax|hypothesis)|"
    r"from (program_pool|trials|hypothesis|jax|jupyter_client)\b|"
    r"from jaxtutor\.(processes\.runner|app|cli|diagnosis|integrations|repl\.kernel|worker)\b)",
    re.MULTILINE,
)
"""Imports by which a test starts a worker, a terminal or JAX itself, or runs for long."""

# Courses that tests create are trusted; trust itself has its own tests.
os.environ.setdefault("JAXTUTOR_TRUST_COURSE", "yes")
# No worker is kept for a later check at a terminal.
os.environ.setdefault("JAXTUTOR_NO_KEEP", "yes")
# No test writes the causes of its programs to the progress of the person who runs it.
os.environ.setdefault("JAXTUTOR_REMEMBER", "nothing")
# `nohup … &`, cron and some CI ignore SIGINT, and every process that a test starts would too.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests marked slow too")
    parser.addoption(
        "--quick", action="store_true", help="leave out the test files that start processes"
    )
    parser.addoption("--cause", metavar="SLUG", help="run only the tests of one cause")


def pytest_configure(config: pytest.Config) -> None:
    line = "cause(slug): a test of one cause, or of each; --cause SLUG selects it"
    config.addinivalue_line("markers", line)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out a file without importing it, where its tests would be left out."""
    is_quick = config.getoption("--quick") and collection_path.suffix == ".py"
    return True if is_quick and starts_processes(collection_path) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = [item for item in items if is_left_out(item, config)]
    config.hook.pytest_deselected(items=left_out)
    dropped = set(left_out)
    items[:] = [item for item in items if item not in dropped]


def pytest_collection_finish() -> None:
    """Leave the catalogue and the tests themselves out of each later garbage collection."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="module")
def forked_workers() -> Iterator[None]:
    """Fork the workers of a test file's lessons from one process, which has imported jax.

    It is for files whose tests are of verdicts. What a worker's process may do has its own files.
    """
    from forking import forked_workers

    with forked_workers():
        yield


def is_left_out(item: pytest.Item, config: pytest.Config) -> bool:
    cause = config.getoption("--cause")
    if cause is not None:
        return not any(mark.args in ((cause,), ()) for mark in item.iter_markers("cause"))
    return is_slow(item) and not config.getoption("--slow")


@cache
def starts_processes(path: Path) -> bool:
    """Return whether a test file can start processes, by what it imports."""
    return PROCESSES.search(path.read_text(encoding="utf-8")) is not None


def is_slow(item: pytest.Item) -> bool:
    return item.get_closest_marker("slow") is not None
