"""Reads everything that a run of grading needs before it starts, so that nothing fails after it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from jaxtutor.content.course import Course
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.grading.points import Points, PointsError, equal_points, read_points
from jaxtutor.core.grading.roster import RosterError, Student, read_roster
from jaxtutor.errors import UsageError
from jaxtutor.grading.folder import Expectations
from jaxtutor.grading.journal import Journal
from jaxtutor.storage import workspace

T = TypeVar("T")

LARGEST_SEED = (1 << 63) - 1
"""Workers receive the seed as a number of 64 bits."""

LARGEST_TABLE = 16 << 20
"""Bytes. A roster or a table of points has a few kilobytes."""

CONFINE_HELP = "See: jaxtutor grade --help"


@dataclass(frozen=True)
class Outputs:
    """The files to write, and the folder of the feedback pages."""

    csv: Path | None = None
    junit: Path | None = None
    canvas: Path | None = None
    moodle: Path | None = None
    gradescope: Path | None = None
    feedback: Path | None = None


@dataclass(frozen=True)
class GradeOptions:
    """The options of `grade`, as they were given."""

    lesson: str | None = None
    jobs: int = 0
    confine: str = "always"
    scheduler: str | None = None
    seed: int = 0
    roster: Path | None = None
    points: Path | None = None
    deadline: str | None = None
    resume: Path | None = None
    outputs: Outputs = Outputs()


@dataclass(frozen=True)
class GradingPlan:
    """What is graded, how, and what is written. `points` is None for one point a lesson.

    `files` are all that the options name, to read or to write: submissions must not see them.
    """

    only: Lesson | None
    students: tuple[Student, ...]
    points: Points | None
    deadline: datetime | None
    journal: Journal | None
    is_confined: bool
    scheduler: str | None
    jobs: int
    seed: int
    outputs: Outputs
    files: tuple[Path, ...]

    @property
    def expectations(self) -> Expectations:
        """What learners are expected to hand in."""
        return Expectations(
            self.only.slug if self.only else None,
            tuple(self.points.lessons) if self.points else (),
            self.students,
            self.deadline,
            self.outputs.gradescope is not None,
        )

    def worth(self, lessons: list[str]) -> Points:
        """Return the points, or one for each of these lessons."""
        return self.points or equal_points(lessons)


def make_plan(course: Course, chosen: GradeOptions) -> GradingPlan:
    """Check the options and read the files that they name. Raises UsageError."""
    _validate(chosen)
    only = course.find(chosen.lesson) if chosen.lesson else None
    slugs = [lesson.slug for lesson in course.lessons]
    points = _load(chosen.points, lambda data: read_points(_text(data), slugs))
    if only and points and only.slug not in points.lessons:
        raise UsageError(f"{chosen.points} has no points for {only.slug}.", "Add them.")
    return GradingPlan(
        only=only,
        students=_load(chosen.roster, read_roster) or (),
        points=_only(points, only),
        deadline=_time(chosen.deadline) if chosen.deadline else None,
        journal=Journal(chosen.resume) if chosen.resume else None,
        is_confined=chosen.confine == "always",
        scheduler=chosen.scheduler,
        jobs=chosen.jobs,
        seed=chosen.seed,
        outputs=chosen.outputs,
        files=_named(chosen),
    )


def _named(chosen: GradeOptions) -> tuple[Path, ...]:
    named = (chosen.roster, chosen.points, chosen.resume, *vars(chosen.outputs).values())
    return tuple(path for path in named if path is not None)


def _validate(chosen: GradeOptions) -> None:
    if chosen.seed > LARGEST_SEED:
        raise UsageError(f"The seed {chosen.seed} is too large.", f"At most it is {LARGEST_SEED}.")
    if chosen.confine == "auto":
        raise UsageError(
            "--confine auto is no longer offered: it ran submissions unconfined without asking.",
            "Choose always, the default, or never to run them with your rights.",
        )
    if chosen.confine not in ("always", "never"):
        raise UsageError(f"Invalid value {chosen.confine!r}. Choose always or never.", CONFINE_HELP)
    if chosen.outputs.gradescope and chosen.roster:
        raise UsageError(
            "--gradescope cannot be combined with --roster.",
            "results.json is about one submission, which Gradescope assigns to its learner.",
        )


def _load(path: Path | None, read: Callable[[bytes], T]) -> T | None:
    if path is None:
        return None
    try:
        data = workspace.look(path, LARGEST_TABLE)[1]
        if len(data) > LARGEST_TABLE:
            raise RosterError(f"It is larger than {LARGEST_TABLE >> 20} MiB.")
        return read(data)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {workspace.explain(error)}.") from error
    except (RosterError, PointsError) as error:
        raise UsageError(f"{path}: {error}", "See: docs/lms.md") from error


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise PointsError(f"Line {line} is not UTF-8 text.") from None


def _only(points: Points | None, only: Lesson | None) -> Points | None:
    """Keep the points of one lesson."""
    if points is None or only is None:
        return points
    return Points({only.slug: points.lessons[only.slug]}, points.late, points.assignment)


def _time(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(
            f"Invalid value {text!r}. Write a time such as '2026-11-20 23:59' or "
            "2026-11-20T23:59+01:00.",
            CONFINE_HELP,
        ) from None
    # A day alone means all of it.
    is_day = len(text.strip()) <= len("2026-11-20")
    return found.replace(hour=23, minute=59, second=59) if is_day else found
