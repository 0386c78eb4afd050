"""Builds the JSON that commands print with `--json`; its keys are stable, see docs/json.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from datetime import date, datetime
from typing import Any

from jaxtutor.core.data.coverage import Coverage
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.facts import Machine
from jaxtutor.core.data.notebooks import Notebook
from jaxtutor.core.data.positions import Span
from jaxtutor.core.data.values import Tree
from jaxtutor.core.data.verdicts import CaseResult, Verdict
from jaxtutor.core.judging import jaxprs
from jaxtutor.core.judging.arrays import tree_text
from jaxtutor.core.judging.compare import describe
from jaxtutor.core.learning.activity import ChapterCount
from jaxtutor.core.learning.drills import CauseRecord
from jaxtutor.core.learning.reviews import Recall
from jaxtutor.core.linting.source_lint import LintedFile
from jaxtutor.core.reporting.cells import in_cell
from jaxtutor.core.reporting.changes import change_elsewhere
from jaxtutor.core.reporting.health import HealthItem

SCHEMA = 1

Report = dict[str, Any]


def check_report(verdict: Verdict, file: str) -> Report:
    """Build the report of a verdict."""
    return {
        "schema": SCHEMA,
        "lesson": verdict.lesson,
        "file": file,
        "status": verdict.status,
        "headline": verdict.headline,
        "device": verdict.device,
        "jax_version": verdict.jax_version,
        "seconds": round(verdict.seconds, 4),
        "checks": [
            {
                "name": check.name,
                "says": check.says,
                "status": check.status,
                "seconds": round(check.seconds, 4),
                "title": check.title,
                "detail": check.detail,
                "reason": check.case.reason if check.case else "",
            }
            for check in verdict.checks
        ],
        "relation": verdict.relation,
        "kinds": list(verdict.kinds),
        "misconception": verdict.misconception,
        "hint": verdict.hint,
        "failed_call": verdict.failed_call,
        "cases": [_case(case) for case in verdict.cases],
        "jaxpr": jaxprs.text(verdict.jaxpr) if verdict.jaxpr else None,
        "diagnosis": diagnosis_report(verdict.diagnosis) if verdict.diagnosis else None,
        "findings": [diagnosis_report(finding) for finding in verdict.findings],
        "beside": [diagnosis_report(finding) for finding in verdict.beside],
        "stdout": verdict.stdout,
    }


def _case(case: CaseResult) -> Report:
    return {
        "inputs": case.inputs,
        "expected": _tree(case.expected),
        "actual": _tree(case.actual),
        "passed": case.passed,
        "reason": case.reason,
    }


def _tree(tree: Tree | None) -> str | None:
    return None if tree is None else f"{tree_text(tree)} {describe(tree)}"


def diagnosis_report(diagnosis: Diagnosis) -> Report:
    """Build the report of a diagnosis or a finding."""
    raised, change = diagnosis.raised_at, change_elsewhere(diagnosis)
    return {
        "error_class": diagnosis.error_class,
        "message": diagnosis.message,
        "cause": diagnosis.cause,
        "file": diagnosis.file,
        **_span(diagnosis.span),
        "expression": diagnosis.expression,
        "raised_at": {
            "file": raised.file,
            "line": raised.span.line,
            "expression": diagnosis.raised_expression,
        }
        if raised
        else None,
        "change_at": {"file": change.file, "line": change.line, "text": change.text}
        if change
        else None,
        "origin": [
            {
                "file": step.file,
                "line": step.span.line if step.span else None,
                "expression": step.expression,
                "aval": step.aval,
            }
            for step in diagnosis.origin
        ],
        "summary": diagnosis.summary,
        "advice": diagnosis.advice,
        "fix": {
            "diff": diagnosis.fix.diff,
            "verified": diagnosis.fix.verified,
            "only_numbers_change": diagnosis.fix.only_numbers_change,
            "proof": diagnosis.fix.proof or None,
            "edits": [{**_span(edit.span), "text": edit.text} for edit in diagnosis.fix.replaced],
            "keeps_results": diagnosis.fix.keeps_results,
        }
        if diagnosis.fix
        else None,
        "costs": diagnosis.costs,
        "page": diagnosis.cause,
        "cell": None,
    }


def lint_report(files: Sequence[LintedFile], problems: Mapping[str, str], lines: int) -> Report:
    """Build the report of files that were linted."""
    found = [each for file in files for each in file.found]
    return {
        "schema": SCHEMA,
        "status": "found" if any(each.is_certain for each in found) else "clean",
        "files": len(files),
        "lines": lines,
        "findings": [diagnosis_report(each) for each in found if each.is_certain],
        "worth_a_look": [diagnosis_report(each) for each in found if not each.is_certain],
        "comments": [
            {"file": file.file, "line": line, "says": says, "is_unused": is_unused}
            for file in files
            for line, says, is_unused in (
                *((each.line, "allows nothing", True) for each in file.unused),
                *((each.line, each.says, False) for each in file.faults),
            )
        ],
        "unread": [{"file": file, "why": why} for file, why in problems.items()],
    }


def _span(span: Span | None) -> Report:
    names = ("line", "column", "end_line", "end_column")
    return {name: getattr(span, name) if span else None for name in names}


def devices_report(machine: Machine) -> Report:
    """Build the report of the devices that JAX can use."""
    return {
        "schema": SCHEMA,
        "jax_version": machine.jax,
        "jaxlib_version": machine.jaxlib,
        "python_version": machine.python,
        "devices": [
            {"name": device.name, "kind": device.kind, "default": device.default}
            for device in machine.devices
        ],
    }


def doctor_report(points: Sequence[HealthItem]) -> Report:
    """Build the report of an installation's problems and their remedies."""
    return {
        "schema": SCHEMA,
        "healthy": all(point.standing != "wrong" for point in points),
        "points": [
            {
                "name": point.name,
                "standing": point.standing,
                "says": point.says,
                "remedy": point.remedy,
            }
            for point in points
        ],
    }


def stats_report(
    chapters: Sequence[ChapterCount],
    attempts: int,
    hints: int,
    tries: Mapping[str, int],
    days: Mapping[date, int],
    causes: Sequence[tuple[str, int]],
    records: Sequence[CauseRecord],
) -> Report:
    """Build the report of a learner's statistics."""
    return {
        "schema": SCHEMA,
        "lessons": sum(chapter.lessons for chapter in chapters),
        "passed": sum(chapter.passed for chapter in chapters),
        "attempts": attempts,
        "hints_shown": hints,
        "chapters": [
            {
                "number": chapter.number,
                "title": chapter.title,
                "lessons": chapter.lessons,
                "passed": chapter.passed,
                "attempts": chapter.attempts,
            }
            for chapter in chapters
        ],
        "until_passed": [{"lesson": slug, "attempts": count} for slug, count in tries.items()],
        "days": [{"day": day.isoformat(), "attempts": days[day]} for day in sorted(days)],
        "causes": [{"cause": cause, "times": times} for cause, times in causes],
        "mastered": [record.cause for record in records if record.is_mastered],
        "recurring": [record.cause for record in records if record.is_recurring],
    }


def review_report(
    recalls: Sequence[Recall], opened: Set[str], causes: Sequence[Recall], now: datetime
) -> Report:
    """Build the report of the lessons due for review, and of the causes due for a drill."""
    return {
        "schema": SCHEMA,
        "lessons": [
            {
                "slug": recall.slug,
                **_forecast(recall, now),
                "reviews": recall.reviews,
                "under_review": recall.slug in opened,
            }
            for recall in recalls
        ],
        "drills": [
            {"cause": recall.slug, **_forecast(recall, now), "drills": recall.reviews}
            for recall in causes
        ],
    }


def _forecast(recall: Recall, now: datetime) -> Report:
    return {
        "due": recall.due.isoformat(timespec="seconds"),
        "is_due": recall.due <= now,
        "chance": recall.chance,
    }


def error_report(message: str, remedy: str, status: int) -> Report:
    """Build the report of an error: in jaxtutor, on the command line or in the environment."""
    return {
        "schema": SCHEMA,
        "error": {"message": message, "remedy": remedy, "exit_status": status},
    }


def _coverage(coverage: Coverage) -> Report:
    return {
        "functions": coverage.functions,
        "operations": coverage.operations,
        "in_64_bits": coverage.widened,
        "keys": coverage.keys,
        "not_followed": [{"what": what, "times": times} for what, times in coverage.left_out],
    }


def script_report(
    *,
    file: str,
    status: str,
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
) -> Report:
    """Build the report of a learner's own program."""

    def one(found: Diagnosis | None) -> Report | None:
        if found is None:
            return None
        if notebook is None or found.file != file:
            return diagnosis_report(found)
        placed, _, number = in_cell(found, notebook)
        # The diff counts the lines of all cells together, and `line` those of one.
        return {**diagnosis_report(placed), "change_at": None, "cell": number}

    return {
        "schema": SCHEMA,
        "file": file,
        "status": status,
        "exit_status": exit_status,
        "device": device,
        "jax_version": jax_version,
        "seconds": round(seconds, 4),
        "diagnosis": one(diagnosis),
        "findings": [one(finding) for finding in findings],
        "worth_a_look": [one(found) for found in looks],
        "allowed": allowed,
        "coverage": _coverage(coverage) if coverage is not None else None,
        "tests": [{"name": name, "diagnosis": one(found)} for name, found in tests],
        "ended": end_detail if status == "crashed" else None,
        "traceback": traceback,
        "skipped": list(notebook.skipped) if notebook is not None else [],
        "stdout": stdout,
    }
