"""Reads the system's clock, and limits the time to years that datetime can calculate with."""

from __future__ import annotations

from datetime import UTC, datetime

EARLIEST, LATEST = datetime(1970, 1, 2, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)
"""Leave room on both sides for a time zone, a week and the longest interval of a review."""


def read() -> datetime:
    """Read the system clock. Raises ValueError, OverflowError or OSError past the year 9999."""
    return datetime.now(UTC)


def now() -> datetime:
    """Return the time in UTC, or the latest one supported if the clock is set beyond it."""
    try:
        return bound(read())
    except (ValueError, OverflowError, OSError):
        return LATEST


def bound(when: datetime) -> datetime:
    """Clamp a time to the supported range; a time without a zone is taken as UTC."""
    aware = when if when.tzinfo else when.replace(tzinfo=UTC)
    return min(max(aware, EARLIEST), LATEST)
