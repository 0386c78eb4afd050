"""Defines the outputs about programs: verdicts, diagnoses and what the source shows."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from jaxtutor.core.data.verdicts import CheckStatus, ScriptStatus, VerdictStatus
from jaxtutor.core.reporting.outputs.output import Output


class PlaceOutput(Struct, frozen=True, kw_only=True):
    """A line of a file, and the expression in it."""

    file: str
    line: int
    expression: str


class ChangeOutput(Struct, frozen=True, kw_only=True):
    """A line that a fix changes."""

    file: str
    line: int
    text: str


class StepOutput(Struct, frozen=True, kw_only=True):
    """A step on the way of a traced value."""

    file: str | None
    line: int | None
    expression: str
    aval: str


class EditOutput(Struct, frozen=True, kw_only=True):
    """A stretch of a file, and the text that takes its place."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class FixOutput(Struct, frozen=True, kw_only=True):
    """An edit that may correct the mistake."""

    diff: str
    verified: bool
    only_numbers_change: bool
    proof: str | None
    edits: tuple[EditOutput, ...]
    keeps_results: bool


class DiagnosisOutput(Struct, frozen=True, kw_only=True):
    """Why a program raised, or a mistake that raised nothing. Part of other outputs."""

    error_class: str | None
    message: str
    cause: str | None
    file: str
    line: int | None
    column: int | None
    end_line: int | None
    end_column: int | None
    expression: str
    raised_at: PlaceOutput | None
    change_at: ChangeOutput | None
    origin: tuple[StepOutput, ...]
    summary: str
    advice: str
    fix: FixOutput | None
    costs: bool
    page: str | None
    cell: int | None


class CheckedOutput(Struct, frozen=True, kw_only=True):
    """One check of a submission."""

    name: str
    says: str
    status: CheckStatus
    seconds: float
    title: str
    detail: str
    reason: str


class CaseOutput(Struct, frozen=True, kw_only=True):
    """One call of the submission, beside the call of the solution."""

    inputs: str
    expected: str | None
    actual: str | None
    passed: bool
    reason: str


class CheckOutput(Output, frozen=True, kw_only=True):
    """The verdict on a submission: `jaxtutor check --json`."""

    lesson: str
    file: str
    status: VerdictStatus
    headline: str
    device: str
    jax_version: str
    seconds: float
    checks: tuple[CheckedOutput, ...]
    relation: str
    kinds: tuple[str, ...]
    misconception: str
    hint: str
    failed_call: str
    cases: tuple[CaseOutput, ...]
    jaxpr: str | None
    diagnosis: DiagnosisOutput | None
    findings: tuple[DiagnosisOutput, ...]
    beside: tuple[DiagnosisOutput, ...]
    stdout: str


class LeftOutOutput(Struct, frozen=True, kw_only=True):
    """An operation that was not looked at, and how often it ran."""

    what: str
    times: int


class CoverageOutput(Struct, frozen=True, kw_only=True):
    """What of a run was looked at."""

    functions: int
    operations: int
    in_64_bits: int
    keys: int
    not_followed: tuple[LeftOutOutput, ...]


class TestOutput(Struct, frozen=True, kw_only=True):
    """A test that failed."""

    name: str
    diagnosis: DiagnosisOutput | None


class DiagnoseOutput(Output, frozen=True, kw_only=True):
    """What a run of a program showed: `jaxtutor diagnose --json SCRIPT`."""

    file: str
    status: ScriptStatus
    exit_status: int | None
    device: str
    jax_version: str
    seconds: float
    diagnosis: DiagnosisOutput | None
    findings: tuple[DiagnosisOutput, ...]
    worth_a_look: tuple[DiagnosisOutput, ...]
    allowed: int
    coverage: CoverageOutput | None
    tests: tuple[TestOutput, ...]
    ended: str | None
    traceback: str
    skipped: tuple[str, ...]
    stdout: str


class CommentOutput(Struct, frozen=True, kw_only=True):
    """A comment that allows nothing, or that cannot be obeyed."""

    file: str
    line: int
    says: str
    is_unused: bool


class UnreadOutput(Struct, frozen=True, kw_only=True):
    """A file that was not read."""

    file: str
    why: str


class GoneOutput(Struct, frozen=True, kw_only=True):
    """A finding that the baseline accepts, and that is gone."""

    path: str
    cause: str


class LintOutput(Output, frozen=True, kw_only=True):
    """What the source of files shows: `jaxtutor lint --json`."""

    status: Literal["found", "clean"]
    files: int
    lines: int
    findings: tuple[DiagnosisOutput, ...]
    worth_a_look: tuple[DiagnosisOutput, ...]
    comments: tuple[CommentOutput, ...]
    unread: tuple[UnreadOutput, ...]
    accepted: int
    gone: tuple[GoneOutput, ...]
    fixed: tuple[str, ...]


class ExplainLogOutput(Output, frozen=True, kw_only=True):
    """The exception in a log: `jaxtutor explain --json -`."""

    name: Literal["-"]
    error_class: str
    message: str
    diagnosis: DiagnosisOutput | None
    page: str | None
