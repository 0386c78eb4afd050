"""Defines a row of the table of grades."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from jaxtutor.core.data.verdicts import VerdictStatus

GradeStatus = Literal[VerdictStatus, "unreadable", "unnamed", "not_graded", "missing"]
"""A verdict's status, or why there is none: not a readable program, no lesson of that name, an
error, or nothing was handed in."""

Measured = Literal["outside", "inside", ""]
"""Measured in a process that never ran the submission, or in the submission's own; empty where
it did not pass."""


class GradeRow(Struct, frozen=True, kw_only=True):
    """The columns of a grade, in JSON and in tables."""

    learner: str
    lesson: str
    file: str
    status: GradeStatus
    checks_passed: int
    checks: int
    cause: str | None
    line: int | None
    headline: str
    seconds: float
    notes: tuple[str, ...]
    measured: Measured
    measured_outside: tuple[str, ...]
    id: str
    late: bool
    points: float
    points_possible: float
