"""Tests the classes of expected errors."""

from __future__ import annotations

import pytest

from jaxtutor.errors import EditorError, StoreError, SubmissionError, TutorError, UsageError


def test_an_error_carries_its_fact_and_its_remedy() -> None:
    """An error has a message and a remedy, and its text is the message."""
    error = TutorError("The disk is full.", "Free some space.")

    assert ("The disk is full.", "Free some space.") == (error.message, error.remedy)
    assert "The disk is full." == str(error)


@pytest.mark.parametrize(
    ("kind", "status"),
    [(TutorError, 3), (UsageError, 2), (SubmissionError, 1), (StoreError, 3), (EditorError, 3)],
)
def test_each_kind_has_its_exit_status(kind: type[TutorError], status: int) -> None:
    """A usage error exits with 2, an environment error with 3, and invalid Python with 1."""
    assert status == kind("x").status


def test_a_long_message_keeps_its_ends() -> None:
    """A long message is shortened in the middle, because the reason is at its end."""
    message = TutorError(f"There is no {'x' * 100_000}: the name is too long.").message

    assert len(message) < 2 * 1500
    assert ("There is no x", "the name is too long.") == (message[:13], message[-21:])
