"""Defines the outputs about what the learner did, and what is due."""

from __future__ import annotations

from msgspec import Struct

from jaxtutor.core.data.drills import FixStatus
from jaxtutor.core.data.predictions import Asks
from jaxtutor.core.learning.search import PageKind
from jaxtutor.core.reporting.outputs.diagnosed import DiagnosisOutput
from jaxtutor.core.reporting.outputs.output import Output


class ChapterProgress(Struct, frozen=True, kw_only=True):
    """The progress in a chapter."""

    number: int
    title: str
    lessons: int
    passed: int
    attempts: int


class UntilPassed(Struct, frozen=True, kw_only=True):
    """How many attempts a lesson took."""

    lesson: str
    attempts: int


class ActiveDay(Struct, frozen=True, kw_only=True):
    """A day, and the number of attempts on it."""

    day: str
    attempts: int


class MetCause(Struct, frozen=True, kw_only=True):
    """A cause, and the number of attempts with it."""

    cause: str
    times: int


class StatsOutput(Output, frozen=True, kw_only=True):
    """Progress and activity: `jaxtutor stats --json`."""

    lessons: int
    passed: int
    attempts: int
    hints_shown: int
    chapters: tuple[ChapterProgress, ...]
    until_passed: tuple[UntilPassed, ...]
    days: tuple[ActiveDay, ...]
    causes: tuple[MetCause, ...]
    mastered: tuple[str, ...]
    recurring: tuple[str, ...]


class LessonForecast(Struct, frozen=True, kw_only=True):
    """When a lesson is due for review."""

    slug: str
    due: str
    is_due: bool
    chance: float
    reviews: int
    under_review: bool


class CauseForecast(Struct, frozen=True, kw_only=True):
    """When a cause is due for a drill."""

    cause: str
    due: str
    is_due: bool
    chance: float
    drills: int


class ReviewOutput(Output, frozen=True, kw_only=True):
    """What is due for review: `jaxtutor review --json`."""

    lessons: tuple[LessonForecast, ...]
    drills: tuple[CauseForecast, ...]


class AskedQuestion(Struct, frozen=True, kw_only=True):
    """A question that is answered before one writes code."""

    n: int
    asks: Asks
    says: str
    code: str
    of: str


class PredictOutput(Output, frozen=True, kw_only=True):
    """The questions of a lesson: `jaxtutor predict --json`."""

    lesson: str
    questions: tuple[AskedQuestion, ...]


class PredictAnswerOutput(Output, frozen=True, kw_only=True):
    """Whether a prediction is right: `jaxtutor predict --json --answer TEXT`."""

    lesson: str
    n: int
    answer: str
    actual: str
    detail: str
    right: bool
    why: str


class CauseOption(Struct, frozen=True, kw_only=True):
    """A cause to choose."""

    cause: str
    title: str


class ShownDrill(Struct, frozen=True, kw_only=True):
    """A broken program, and the causes to choose from."""

    name: str
    source: str
    expected: str
    options: tuple[CauseOption, ...]


class DrillOutput(Output, frozen=True, kw_only=True):
    """The drills of a session: `jaxtutor drill --json`."""

    drills: tuple[ShownDrill, ...]


class DrillAnswerOutput(Output, frozen=True, kw_only=True):
    """Whether line and cause are right: `jaxtutor drill NAME --line N --cause SLUG --json`."""

    name: str
    line: int
    lines: tuple[int, ...]
    cause: str
    line_right: bool
    cause_right: bool
    why: str
    says: str


class DrillFixOutput(Output, frozen=True, kw_only=True):
    """Whether a program is fixed: `jaxtutor drill NAME --fix FILE --json`."""

    name: str
    status: FixStatus
    expected: str
    stdout: str
    diagnosis: DiagnosisOutput | None
    says: str


class SearchResult(Struct, frozen=True, kw_only=True):
    """A page that matches the words."""

    kind: PageKind
    name: str
    number: str
    title: str
    excerpt: str
    score: float
    command: str
    address: str | None


class SearchOutput(Output, frozen=True, kw_only=True):
    """The pages that match: `jaxtutor search WORDS --json`."""

    query: str
    answer: str
    results: tuple[SearchResult, ...]


class ExplainOutput(Output, frozen=True, kw_only=True):
    """A page: `jaxtutor explain --json NAME`."""

    name: str
    title: str
    page: str
    address: str | None


class DocsOutput(Output, frozen=True, kw_only=True):
    """The address of a page on the site: `jaxtutor docs --json`."""

    address: str


class ExplainIndexOutput(Output, frozen=True, kw_only=True):
    """The titles of all pages, by name: `jaxtutor explain --json`."""

    classes: dict[str, str]
    causes: dict[str, str]
