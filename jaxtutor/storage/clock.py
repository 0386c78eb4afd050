"""Owns the time: read from the system, and kept within years that every calendar can hold."""

from __future__ import annotations

from datetime import UTC, datetime

EARLIEST, LATEST = datetime(1970, 1, 2, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)
"""A time zone, a week and the longest wait for a review reach beyond neither by far."""


def read() -> datetime:
    """Read the system's clock. Raises ValueError, OverflowError or OSError past the year 9999."""
    return datetime.now(UTC)


def now() -> datetime:
    """Tell the time; a clock that is set to nonsense costs the time, and nothing else."""
    try:
        return bound(read())
    except (ValueError, OverflowError, OSError):
        return LATEST


def bound(when: datetime) -> datetime:
    """Return the time, or the nearest one that can be reckoned with; without a zone it is UTC."""
    aware = when if when.tzinfo else when.replace(tzinfo=UTC)
    return min(max(aware, EARLIEST), LATEST)
