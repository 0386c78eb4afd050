"""Owns the tests of courses by others, of hostile papers and of bad input: the trials, small."""

from __future__ import annotations

from pathlib import Path

import pytest

from reliability.courses.foreign import try_trap
from reliability.courses.papers import (
    BARS,
    PAPERS,
    try_interrupt,
    try_pile,
    try_without_confinement,
)
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


UNCONFINED = {
    name: paper
    for name, paper in PAPERS.items()
    if not paper.only_confined and name not in ("never ends", "raises at length")
}
SOME = ("a right one", "a formula with plus", "broken bytes", "a pipe", "raises escapes")


def test_papers_get_their_grades(tmp_path: Path) -> None:
    """Every table says the same, nothing else is written, nothing is left running."""
    papers = {name: PAPERS[name] for name in (*SOME, "leaves a process")}
    assert [] == try_pile(tmp_path / "trial", papers, "never", 300)


@pytest.mark.slow
def test_all_papers_get_their_grades(tmp_path: Path) -> None:
    """So it is of every kind."""
    assert [] == try_pile(tmp_path / "trial", UNCONFINED, "never", 900)


def test_grading_can_be_interrupted(tmp_path: Path) -> None:
    """It says how far it came, and leaves nothing running."""
    assert [] == try_interrupt(tmp_path / "trial")


@pytest.mark.parametrize("bar", BARS)
def test_nothing_runs_without_the_confinement_asked_for(tmp_path: Path, bar: str) -> None:
    """The refusal says that it is not to be had."""
    assert [] == try_without_confinement(tmp_path / "trial", bar)
