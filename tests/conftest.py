"""Owns what all tests share: the slow ones run only when asked for."""

from __future__ import annotations

import os

import pytest

# The courses that tests make are our own; what happens without this has tests of its own.
os.environ.setdefault("JAXTUTOR_TRUST_COURSE", "yes")
# A check at a terminal of a test's own is not followed by another.
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
