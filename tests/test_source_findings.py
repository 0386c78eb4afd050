"""Tests that a right submission of a lesson shows no mistake by its text alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxtutor.core.diagnosis.engine.findings import find

LESSONS = Path(__file__).parent.parent / "lessons"
RIGHT = sorted([*LESSONS.glob("*/**/solution.py"), *LESSONS.glob("*/**/also/*.py")])


def test_all_lessons_are_there() -> None:
    """The right submissions are found where the lessons have them."""
    assert len(RIGHT) > 500


@pytest.mark.parametrize("file", RIGHT, ids=lambda file: str(file.relative_to(LESSONS)))
def test_a_right_submission_shows_no_mistake(file: Path) -> None:
    """A check of a right submission has nothing to say beside its verdict."""
    found = find((), {str(file): file.read_text(encoding="utf-8")}, {})
    assert [] == [(it.diagnosis.cause, it.diagnosis.span) for it in found]
