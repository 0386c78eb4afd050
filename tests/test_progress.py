"""Owns the tests of how far a learner has come."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from jaxtutor.core.learning.progress import Progress, Standing

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
