"""Chooses which of many like tests run always; the others run with --slow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def sampled(values: Iterable[Any], one_of: int) -> list[Any]:
    """Return a test's parameters, of which the first of each `one_of` runs always.

    A tuple has the values of several parameters.
    """
    made = []
    for number, value in enumerate(values):
        marks = [pytest.mark.slow] if number % one_of else []
        made.append(pytest.param(*(value if isinstance(value, tuple) else [value]), marks=marks))
    return made
