"""Skips slow tests unless they are requested, and sets variables that all tests share."""

from __future__ import annotations

import os

import pytest

# Courses that tests create are trusted; trust itself has its own tests.
os.environ.setdefault("JAXTUTOR_TRUST_COURSE", "yes")
# No worker is kept for a later check at a terminal.
os.environ.setdefault("JAXTUTOR_NO_KEEP", "yes")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests marked slow too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    config.hook.pytest_deselected(items=[item for item in items if is_slow(item)])
    items[:] = [item for item in items if not is_slow(item)]


def is_slow(item: pytest.Item) -> bool:
    return item.get_closest_marker("slow") is not None
