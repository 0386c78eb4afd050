"""Defines the outputs about lessons and the learner's files."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from jaxtutor.core.data.lessons import Difficulty
from jaxtutor.core.data.verdicts import VerdictStatus
from jaxtutor.core.reporting.outputs.output import Output


class ListedLesson(Struct, frozen=True, kw_only=True):
    """A lesson of the course, and the learner's progress in it."""

    slug: str
    number: str
    chapter: str
    title: str
    difficulty: Literal[Difficulty, ""]
    status: Literal["new", "started", "passed", "broken"]
    attempts: int
    hints_shown: int
    missing: tuple[str, ...]


class ListOutput(Output, frozen=True, kw_only=True):
    """The lessons of the course, in order: `jaxtutor list --json`."""

    lessons: tuple[ListedLesson, ...]


class ShowOutput(Output, frozen=True, kw_only=True):
    """A lesson's page: `show`, `next` and `prev` with `--json`."""

    slug: str
    number: str
    chapter: str
    title: str
    function: str
    difficulty: Difficulty
    minutes: int
    packages: tuple[str, ...]
    requires: tuple[str, ...]
    docs: tuple[str, ...]
    hints: int
    file: str
    page: str


class ShownHint(Struct, frozen=True, kw_only=True):
    """A hint; its rung is 0 if it is only for what failed."""

    rung: int
    text: str


class HintOutput(Output, frozen=True, kw_only=True):
    """The hints that are shown now: `jaxtutor hint --json`."""

    lesson: str
    rungs: int
    hints: tuple[ShownHint, ...]


class TriedFix(Struct, frozen=True, kw_only=True):
    """An edit of the learner's file that was tried."""

    diff: str
    verified: bool
    status: VerdictStatus


class HintFixOutput(Output, frozen=True, kw_only=True):
    """What follows the last hint: `jaxtutor hint --json` after all hints were shown."""

    lesson: str
    fix: TriedFix


class PastAttempt(Struct, frozen=True, kw_only=True):
    """An attempt at a lesson."""

    n: int
    when: str
    status: str
    device: str
    jax_version: str
    seconds: float


class KeptVersion(Struct, frozen=True, kw_only=True):
    """A version of the learner's file that was stored before something replaced it."""

    n: str
    when: str
    reason: str


class HistoryOutput(Output, frozen=True, kw_only=True):
    """The attempts at a lesson, the oldest first: `jaxtutor history --json`."""

    lesson: str
    attempts: tuple[PastAttempt, ...]
    kept: tuple[KeptVersion, ...]


class DiffOutput(Output, frozen=True, kw_only=True):
    """How the learner's file differs from another version: `jaxtutor diff --json`."""

    lesson: str
    against: str
    diff: str


class DiffJaxprOutput(Output, frozen=True, kw_only=True):
    """The learner's jaxpr beside the solution's: `jaxtutor diff --jaxpr --json`."""

    lesson: str
    against: Literal["solution"]
    solution: tuple[str, ...]
    yours: tuple[str, ...]


class SolutionOutput(Output, frozen=True, kw_only=True):
    """A lesson's solution: `jaxtutor solution --json`."""

    lesson: str
    source: str


class MessageOutput(Output, frozen=True, kw_only=True):
    """What was done: `reset` and `restore` with `--json`, and commands that had nothing to do."""

    lesson: str
    message: str


class CourseEntry(Struct, frozen=True, kw_only=True):
    """A course that was added."""

    name: str
    source: str
    folder: str
    ref: str
    commit: str
    state: str


class CourseOutput(Output, frozen=True, kw_only=True):
    """The courses that were added, or that a command changed: `jaxtutor course list --json`."""

    courses: tuple[CourseEntry, ...]
