"""Owns the tests of courses by others, of hostile papers and of bad input: the trials, small."""

from __future__ import annotations

from pathlib import Path

import pytest

from reliability.courses.foreign import try_trap
from reliability.courses.traps import TRAPS

SMALL = (
    "chapter page is a link outside",
    "files are pipes",
    "names with escapes",
    "escapes in every text of the toml",
    "escapes in programs",
    "html and images in pages",
    "deep toml",
    "empty texts",
)


@pytest.mark.parametrize("name", SMALL)
def test_a_course_by_others_is_shown_and_not_obeyed(name: str, tmp_path: Path) -> None:
    """Nothing of it runs, nothing beside it is read or written, no terminal obeys it."""
    seen = try_trap(name, tmp_path / "trial", thorough=False)

    assert () == seen.faults
    assert 20 < seen.commands


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(TRAPS) - set(SMALL)))
def test_all_courses_by_others(name: str, tmp_path: Path) -> None:
    """So it is of every trap."""
    assert () == try_trap(name, tmp_path / "trial", thorough=False).faults
