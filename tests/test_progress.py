"""Owns the tests of how far a learner has come."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from jaxtutor.core.progress import Progress, Standing, next_lesson

PASSED = Progress(attempts=1, passed_at=datetime(2026, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("progress", "status"),
    [
        (Progress(), "new"),
        (Progress(attempts=2), "started"),
        (Progress(hints_shown=1), "started"),
        (PASSED, "passed"),
    ],
)
def test_standing(progress: Progress, status: Standing) -> None:
    """A lesson is started by an attempt or a hint, and passed by the first attempt that passes."""
    assert status == progress.status


@pytest.mark.parametrize(
    ("passed", "after", "expected"),
    [
        ("", None, "a"),
        ("", "a", "b"),
        ("b", "a", "c"),
        ("c", "b", "a"),
        ("", "c", "a"),
        ("bc", "a", "a"),
        ("abc", "a", None),
        ("", "unknown", "a"),
    ],
)
def test_next_lesson(passed: str, after: str | None, expected: str | None) -> None:
    """The next lesson is the first not passed after this one, else the first not passed at all."""
    assert expected == next_lesson(["a", "b", "c"], dict.fromkeys(passed, PASSED), after)


def test_no_lessons() -> None:
    """A course without lessons has no next one."""
    assert next_lesson([], {}) is None
