"""Defines the outputs for instructors and authors."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from jaxtutor.core.data.verdicts import CheckStatus, VerdictStatus
from jaxtutor.core.reporting.outputs.output import Output

GradeStatus = Literal[VerdictStatus, "unreadable", "unnamed", "not_graded", "missing"]
"""A verdict's status, or why there is none: not a readable program, no lesson of that name, an
error, or nothing was handed in."""
Measured = Literal["outside", "inside", ""]
"""Measured in a process that never ran the submission, or in the submission's own; empty where
it did not pass."""


class GradingLimits(Struct, frozen=True, kw_only=True):
    """How each submission was limited."""

    tasks: str | None
    memory: str | None


class GradeCounts(Struct, frozen=True, kw_only=True):
    """The number of files with each status."""

    passed: int
    failed: int
    raised: int
    timed_out: int
    crashed: int
    lesson_at_fault: int
    unreadable: int
    unnamed: int
    not_graded: int
    missing: int


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


class GradeOutput(Output, frozen=True, kw_only=True):
    """The grades of a folder: `jaxtutor grade --json DIR`."""

    folder: str
    confined: bool
    confinement: str
    limits: GradingLimits
    seconds: float
    resumed: int
    lost_workers: tuple[str, ...]
    counts: GradeCounts
    grades: tuple[GradeRow, ...]


class GateEntry(Struct, frozen=True, kw_only=True):
    """A gate of a lesson."""

    lesson: str
    gate: str
    status: CheckStatus
    problem: str
    file: str | None
    line: int | None
    reason: str


class LessonTestOutput(Output, frozen=True, kw_only=True):
    """Which gates hold: `jaxtutor lesson test --json`."""

    gates: tuple[GateEntry, ...]
    broken: int
    passed_before: tuple[str, ...]
    processor_seconds: float
    python: str
    jax_version: str


class PassingChange(Struct, frozen=True, kw_only=True):
    """A change to a solution that passes the checks."""

    line: int
    before: str
    after: str
    source: str
    reason: str


class ChangedSolution(Struct, frozen=True, kw_only=True):
    """A solution that was changed, and the changes that pass."""

    lesson: str
    tried: int
    passing: tuple[PassingChange, ...]


class MutantsOutput(Output, frozen=True, kw_only=True):
    """The changes that pass: `jaxtutor lesson test --mutants --json`."""

    solutions: tuple[ChangedSolution, ...]
