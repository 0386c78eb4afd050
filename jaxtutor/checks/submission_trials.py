"""Tries fixes of a submission: one is verified only if the checks of the lesson pass with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from jaxtutor.core.data.diagnoses import Fix
from jaxtutor.core.data.verdicts import Verdict
from jaxtutor.core.diagnosis.engine.diagnose import diagnose
from jaxtutor.core.diagnosis.engine.findings import find
from jaxtutor.core.diagnosis.engine.pages import Cause
from jaxtutor.core.diagnosis.engine.propose import Patch, propose, show_diff
from jaxtutor.processes.watched_run import Cancel

if TYPE_CHECKING:
    from jaxtutor.checks.lesson_check import Checker
    from jaxtutor.content.lesson import Lesson


def fix_submission(
    checker: Checker,
    lesson: Lesson,
    source: str,
    file: Path,
    verdict: Verdict,
    cancel: Cancel | None = None,
) -> tuple[Fix, Verdict] | None:
    """Return an edit with which the submission passes, otherwise one with which more checks pass.

    The verdict on the edited text comes with it. If cancelled, return what was found so far.
    """
    further: tuple[Fix, Verdict] | None = None
    for patch in _patches(verdict, {str(file): source}, checker.causes):
        text = patch.apply(source)
        again = checker.check(lesson, text, file, cancel)
        if again is None:
            return further
        if again.status == "passed":
            return _make_fix(str(file), source, text, True), again
        if further is None and _passed(again) > _passed(verdict):
            further = _make_fix(str(file), source, text, False), again
    return further


def _patches(
    verdict: Verdict, sources: Mapping[str, str], causes: Mapping[str, Cause]
) -> Iterator[Patch]:
    if verdict.failure is not None:
        raised = diagnose(verdict.failure, sources, causes)
        found = [raised] if raised is not None else []
    else:
        found = list(find(verdict.observations, sources, causes)) if verdict.findings else []
    for diagnosed in found:
        yield from propose(diagnosed)


def _passed(verdict: Verdict) -> int:
    return sum(check.status == "passed" for check in verdict.checks)


def _make_fix(file: str, before: str, after: str, verified: bool) -> Fix:
    """Create a fix from an edit that was tried."""
    return Fix(show_diff(file, before, after), verified, after)
