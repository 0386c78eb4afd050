"""Builds the outputs of verdicts, diagnoses, projects and programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import asdict, replace

from jaxtutor.core.data.diagnoses import Diagnosis, Fix
from jaxtutor.core.data.positions import Span
from jaxtutor.core.data.values import Tree
from jaxtutor.core.data.verdicts import CaseResult, CheckResult, ScriptStatus, Verdict
from jaxtutor.core.judging import jaxprs
from jaxtutor.core.judging.arrays import tree_text
from jaxtutor.core.judging.compare import describe
from jaxtutor.core.reporting.cells import in_cell
from jaxtutor.core.reporting.changes import change_elsewhere
from jaxtutor.core.reporting.outputs.diagnosed import (
    CaseOutput,
    ChangeOutput,
    CheckedOutput,
    CheckOutput,
    CommentOutput,
    CoverageOutput,
    DiagnoseOutput,
    DiagnosisOutput,
    EditOutput,
    FixOutput,
    GoneOutput,
    LeftOutOutput,
    LintOutput,
    PlaceOutput,
    StepOutput,
    TestOutput,
    UnreadOutput,
)

if TYPE_CHECKING:
    from jaxtutor.core.data.coverage import Coverage
    from jaxtutor.core.data.notebooks import Notebook
    from jaxtutor.core.linting.baseline import Accepted
    from jaxtutor.core.linting.source_lint import LintedFile


# ---------------------------------------------------------------- a verdict


def check_report(verdict: Verdict, file: str) -> CheckOutput:
    """Build the output of a verdict."""
    return CheckOutput(
        lesson=verdict.lesson,
        file=file,
        status=verdict.status,
        headline=verdict.headline,
        device=verdict.device,
        jax_version=verdict.jax_version,
        seconds=round(verdict.seconds, 4),
        checks=tuple(map(_check, verdict.checks)),
        relation=verdict.relation,
        kinds=verdict.kinds,
        misconception=verdict.misconception,
        hint=verdict.hint,
        failed_call=verdict.failed_call,
        cases=tuple(map(_case, verdict.cases)),
        jaxpr=jaxprs.text(verdict.jaxpr) if verdict.jaxpr else None,
        diagnosis=diagnosis_report(verdict.diagnosis) if verdict.diagnosis else None,
        findings=tuple(map(diagnosis_report, verdict.findings)),
        beside=tuple(map(diagnosis_report, verdict.beside)),
        stdout=verdict.stdout,
    )


def _check(check: CheckResult) -> CheckedOutput:
    return CheckedOutput(
        name=check.name,
        says=check.says,
        status=check.status,
        seconds=round(check.seconds, 4),
        title=check.title,
        detail=check.detail,
        reason=check.case.reason if check.case else "",
    )


def _case(case: CaseResult) -> CaseOutput:
    return CaseOutput(
        inputs=case.inputs,
        expected=_tree(case.expected),
        actual=_tree(case.actual),
        passed=case.passed,
        reason=case.reason,
    )


def _tree(tree: Tree | None) -> str | None:
    return None if tree is None else f"{tree_text(tree)} {describe(tree)}"


# ---------------------------------------------------------------- a diagnosis


def diagnosis_report(diagnosis: Diagnosis) -> DiagnosisOutput:
    """Build the output of a diagnosis or a finding."""
    span, fix = diagnosis.span, diagnosis.fix
    change = change_elsewhere(diagnosis)
    return DiagnosisOutput(
        error_class=diagnosis.error_class,
        message=diagnosis.message,
        cause=diagnosis.cause,
        file=diagnosis.file,
        line=span.line if span else None,
        column=span.column if span else None,
        end_line=span.end_line if span else None,
        end_column=span.end_column if span else None,
        expression=diagnosis.expression,
        raised_at=_raised_at(diagnosis),
        change_at=ChangeOutput(**asdict(change)) if change else None,
        origin=tuple(
            StepOutput(
                file=step.file,
                line=step.span.line if step.span else None,
                expression=step.expression,
                aval=step.aval,
            )
            for step in diagnosis.origin
        ),
        summary=diagnosis.summary,
        advice=diagnosis.advice,
        fix=_fix(fix) if fix else None,
        costs=diagnosis.costs,
        page=diagnosis.cause,
        cell=None,
    )


def _raised_at(diagnosis: Diagnosis) -> PlaceOutput | None:
    raised = diagnosis.raised_at
    if raised is None:
        return None
    return PlaceOutput(
        file=raised.file, line=raised.span.line, expression=diagnosis.raised_expression
    )


def _fix(fix: Fix) -> FixOutput:
    return FixOutput(
        diff=fix.diff,
        verified=fix.verified,
        only_numbers_change=fix.only_numbers_change,
        proof=fix.proof or None,
        edits=tuple(_edit(edit.span, edit.text) for edit in fix.replaced),
        keeps_results=fix.keeps_results,
    )


def _edit(span: Span, text: str) -> EditOutput:
    return EditOutput(
        line=span.line,
        column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
        text=text,
    )


# ---------------------------------------------------------------- a project and a program


def lint_report(
    files: Sequence[LintedFile],
    problems: Mapping[str, str],
    count: int,
    lines: int,
    *,
    accepted: int = 0,
    gone: Sequence[Accepted] = (),
    fixed: Sequence[str] = (),
) -> LintOutput:
    """Build the output of files that were linted, of which `count` were read."""
    found = [each for file in files for each in file.found]
    return LintOutput(
        status="found" if any(each.is_certain for each in found) else "clean",
        files=count,
        lines=lines,
        findings=tuple(diagnosis_report(each) for each in found if each.is_certain),
        worth_a_look=tuple(diagnosis_report(each) for each in found if not each.is_certain),
        comments=tuple(comment for file in files for comment in _comments(file)),
        unread=tuple(UnreadOutput(file=file, why=why) for file, why in problems.items()),
        accepted=accepted,
        gone=tuple(GoneOutput(path=each.path, cause=each.cause) for each in gone),
        fixed=tuple(fixed),
    )


def _comments(file: LintedFile) -> list[CommentOutput]:
    unused = [(each.line, "allows nothing", True) for each in file.unused]
    faults = [(each.line, each.says, False) for each in file.faults]
    return [
        CommentOutput(file=file.file, line=line, says=says, is_unused=is_unused)
        for line, says, is_unused in (*unused, *faults)
    ]


def script_report(
    *,
    file: str,
    status: ScriptStatus,
    device: str,
    jax_version: str,
    seconds: float,
    diagnosis: Diagnosis | None,
    findings: tuple[Diagnosis, ...],
    stdout: str,
    end_detail: str = "",
    exit_status: int | None = None,
    traceback: str = "",
    tests: Sequence[tuple[str, Diagnosis | None]] = (),
    notebook: Notebook | None = None,
    looks: Sequence[Diagnosis] = (),
    coverage: Coverage | None = None,
    allowed: int = 0,
) -> DiagnoseOutput:
    """Build the output of a learner's own program."""

    def one(found: Diagnosis) -> DiagnosisOutput:
        if notebook is None or found.file != file:
            return diagnosis_report(found)
        placed, _, number = in_cell(found, notebook)
        # The diff counts the lines of all cells together, and `line` those of one.
        return replace(diagnosis_report(placed), change_at=None, cell=number)

    return DiagnoseOutput(
        file=file,
        status=status,
        exit_status=exit_status,
        device=device,
        jax_version=jax_version,
        seconds=round(seconds, 4),
        diagnosis=one(diagnosis) if diagnosis is not None else None,
        findings=tuple(map(one, findings)),
        worth_a_look=tuple(map(one, looks)),
        allowed=allowed,
        coverage=_coverage(coverage) if coverage is not None else None,
        tests=tuple(
            TestOutput(name=name, diagnosis=one(found) if found is not None else None)
            for name, found in tests
        ),
        ended=end_detail if status == "crashed" else None,
        traceback=traceback,
        skipped=notebook.skipped if notebook is not None else (),
        stdout=stdout,
    )


def _coverage(coverage: Coverage) -> CoverageOutput:
    return CoverageOutput(
        functions=coverage.functions,
        operations=coverage.operations,
        in_64_bits=coverage.widened,
        keys=coverage.keys,
        not_followed=tuple(
            LeftOutOutput(what=what, times=times) for what, times in coverage.left_out
        ),
    )
