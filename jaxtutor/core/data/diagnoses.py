"""Defines what a diagnosis says: the cause, its place and fixes."""

from __future__ import annotations

from msgspec import Struct

from jaxtutor.core.data.failures import Step
from jaxtutor.core.data.positions import Frame, Span


class Edit(Struct, frozen=True):
    """One stretch of source and the text that takes its place; an empty stretch is an insertion."""

    span: Span
    text: str


class Fix(Struct, frozen=True):
    """An edit that may fix the program; `verified` only after it ran.

    `source` is the whole edited file; `edits` has every file that is edited, by its path.
    `compared` says whether its results could be compared with what is right. `only_numbers_change`
    says of a fix of a finding that nothing else differs from the run before. `proof` is what
    the run with the fix showed, if observing it can show that the mistake is gone. `replaced` has
    the stretches of the file of the diagnosis that the fix replaces, where nothing ran. A fix that
    `keeps_results` cannot change what the program computes.
    """

    diff: str
    verified: bool
    source: str = ""
    edits: dict[str, str] = {}
    compared: bool = True
    only_numbers_change: bool = False
    proof: str = ""
    replaced: tuple[Edit, ...] = ()
    keeps_results: bool = False


class Diagnosis(Struct, frozen=True):
    """A named mistake at a position. `error_class` is None for a finding.

    `line` is where the learner must change something. If the exception was raised elsewhere,
    `raised_at` is that position. A finding that is not `is_certain` is worth a look only. One that
    `costs` takes time or memory, and changes no result.
    """

    error_class: str | None
    message: str
    cause: str | None
    file: str
    span: Span | None
    expression: str
    summary: str
    advice: str
    origin: tuple[Step, ...] = ()
    raised_at: Frame | None = None
    raised_expression: str = ""
    fix: Fix | None = None
    is_certain: bool = True
    costs: bool = False

    @property
    def line(self) -> int:
        """The first line of the place; 0 if no place is known."""
        return self.span.line if self.span is not None else 0
