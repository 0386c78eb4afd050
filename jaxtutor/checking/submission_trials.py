"""Tries fixes of a submission: one is verified only if the checks of the lesson pass with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from jaxtutor.core.data.diagnoses import Fix
from jaxtutor.core.data.verdicts import Verdict
from jaxtutor.core.diagnosis.proposals import Patch, propose, show_diff
from jaxtutor.processes.watched_run import Cancel

if TYPE_CHECKING:
    from jaxtutor.checking.lesson_check import Checker
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
    for patch in _patches(verdict, source, file):
        text = patch.apply(source)
        again = checker.check(lesson, text, file, cancel)
        if again is None:
            return further
        if again.status == "passed":
            return _make_fix(str(file), source, text, True), again
        if further is None and _passed(again) > _passed(verdict):
            further = _make_fix(str(file), source, text, False), again
    return further


def _patches(verdict: Verdict, source: str, file: Path) -> Iterator[Patch]:
    found = (verdict.diagnosis,) if verdict.diagnosis else verdict.findings
    for diagnosis in found:
        yield from propose(diagnosis, verdict.failure, {str(file): source})


def _passed(verdict: Verdict) -> int:
    return sum(check.status == "passed" for check in verdict.checks)


def _make_fix(file: str, before: str, after: str, verified: bool) -> Fix:
    """Create a fix from an edit that was tried."""
    return Fix(show_diff(file, before, after), verified, after)
