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
    parser.addoption("--cause", metavar="SLUG", help="run only the tests of one cause")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "cause(slug): a test of one cause; --cause SLUG selects it")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    cause = config.getoption("--cause")
    if cause is not None:
        chosen = [item for item in items if is_of(item, cause)]
    elif config.getoption("--slow"):
        return
    else:
        chosen = [item for item in items if not is_slow(item)]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(chosen)])
    items[:] = chosen


def is_of(item: pytest.Item, cause: str) -> bool:
    return any(mark.args == (cause,) for mark in item.iter_markers("cause"))


def is_slow(item: pytest.Item) -> bool:
    return item.get_closest_marker("slow") is not None
