"""Checks the learner's file and records the attempt."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from jaxtutor.checks import project_files
from jaxtutor.core.judging.parameters import say_swapped
from jaxtutor.core.judging.slip_lines import add_line
from jaxtutor.core.judging.steps import failed_step
from jaxtutor.core.learning.verdict_hints import hint_on, known_causes
from jaxtutor.core.learning.todos import say_todo
from jaxtutor.core.reporting.reports import check_report
from jaxtutor.errors import StoreError
from jaxtutor.storage.workspace import Submission

if TYPE_CHECKING:
    from jaxtutor.app import App
    from jaxtutor.content.lesson import Lesson
    from jaxtutor.core.data.verdicts import Verdict
    from jaxtutor.processes.watched_run import Cancel, Listen


REPLACED = "replaced by a newer save before it was checked"
UNCHECKED = "saved, but not checked"
"""Why a text is in the store although it has no verdict."""


def attempt(
    app: App,
    lesson: Lesson,
    submission: Submission,
    cancel: Cancel | None = None,
    saved: bool = True,
    listen: Listen | None = None,
    patience: float = 0.0,
) -> Verdict | None:
    """Check a submission and record the attempt; return None if it was cancelled.

    `saved` is False for the text that is in the file when a session or a watch opens it. A wrong
    answer may wait `patience` seconds until the lesson's known mistakes have been run. If the
    progress file cannot be used, a warning is printed and only the record is lost, not the verdict.
    """
    verdict = judge(app, lesson, submission, cancel, listen, patience)
    if verdict is not None and is_attempt(app, lesson, submission, verdict, saved):
        record(app, lesson, submission, verdict)
    elif verdict is not None:
        _set_current(app, lesson)
    return verdict


def judge(
    app: App,
    lesson: Lesson,
    submission: Submission,
    cancel: Cancel | None = None,
    listen: Listen | None = None,
    patience: float = 0.0,
) -> Verdict | None:
    """Check a submission without recording it; return None if it was cancelled."""
    from jaxtutor.checks.known_mistakes import name_misconception

    seed = find_seed(app, lesson)
    verdict = app.checker.check(lesson, submission.text, submission.path, cancel, seed, listen)
    if verdict is None:
        return None
    waits = 0.0 if is_given(app, lesson, submission.text) else patience
    says = name_misconception(app.checker, lesson, seed, verdict, waits)
    broke = project_files.say_what_broke(app, lesson, submission.text, verdict)
    if says:
        says = add_line(says, submission.text, lesson.info.function)
        return replace(verdict, misconception=says, hint=broke)
    if broke and (verdict.status != "failed" or failed_step(verdict)):
        return replace(verdict, hint=broke)  # what failed is a consequence
    hints = (
        project_files.say_what_changed(app, lesson, submission.text, verdict),
        _hint_for(app, lesson, submission, verdict),
        broke,
    )
    return replace(verdict, hint=" ".join(filter(None, hints)))


def recognise_later(
    app: App, lesson: Lesson, submission: Submission, verdict: Verdict
) -> Verdict | None:
    """Return a verdict again with the mistake behind it, if that has become known since."""
    from jaxtutor.checks.known_mistakes import name_misconception

    is_open = verdict.status == "failed" and not verdict.misconception
    if not is_open or is_given(app, lesson, submission.text):
        return None
    says = name_misconception(app.checker, lesson, find_seed(app, lesson), verdict)
    if not says:
        return None
    says = add_line(says, submission.text, lesson.info.function)
    broke = project_files.say_what_broke(app, lesson, submission.text, verdict)
    return replace(verdict, misconception=says, hint=broke)


def may_recognise(app: App, lesson: Lesson) -> bool:
    """Return whether the known mistakes of a lesson are being run now."""
    from jaxtutor.checks.known_mistakes import is_learning

    return is_learning(app.checker, lesson, find_seed(app, lesson))


def _hint_for(app: App, lesson: Lesson, submission: Submission, verdict: Verdict) -> str:
    """Return the lesson's hint for what failed; of the unchanged starter, what its TODO says."""
    if verdict.status not in ("failed", "raised"):
        return ""
    if is_given(app, lesson, submission.text):
        return "" if known_causes(verdict) else say_todo(submission.text)
    swapped = say_swapped(lesson.starter, submission.text)
    return " ".join(filter(None, (swapped, hint_on(lesson.info, verdict))))


def is_attempt(
    app: App, lesson: Lesson, submission: Submission, verdict: Verdict, saved: bool = True
) -> bool:
    """Return whether the learner tried something: an unchanged starter is not an attempt.

    Nor is the text of an earlier attempt when it is only opened again or restored, unless its
    verdict changed or it now counts for a review.
    """
    if verdict.status != "passed" and is_given(app, lesson, submission.text):
        return False
    return saved or not _is_recorded(app, lesson, submission, verdict.status)


def _is_recorded(app: App, lesson: Lesson, submission: Submission, status: str) -> bool:
    digest = hashlib.sha256(submission.text.encode("utf-8", "surrogatepass")).digest()
    try:
        found = app.store.find_attempt(lesson.slug, digest, status)
        review = app.store.open_review(lesson.slug)
    except StoreError:
        return False  # recording the attempt reports the error
    return found is not None and (review is None or found.when > review.begun)


def _set_current(app: App, lesson: Lesson) -> None:
    try:
        app.store.set_current(lesson.slug)
    except StoreError as error:
        app.warn(error.message, error.remedy)


def find_seed(app: App, lesson: Lesson) -> int:
    """Return the seed of the hidden cases: that of the open review, or 0."""
    try:
        review = app.store.open_review(lesson.slug)
    except StoreError:
        return 0  # recording the attempt reports the error
    return review.seed if review else 0


def keep(app: App, lesson: Lesson, submission: Submission, reason: str) -> None:
    """Save a text without a verdict in the store, unless it is the starter."""
    if is_given(app, lesson, submission.text):
        return
    try:
        app.store.keep_source(lesson.slug, submission.data, reason)
    except StoreError as error:
        app.warn(error.message, error.remedy)


def record(app: App, lesson: Lesson, submission: Submission, verdict: Verdict) -> None:
    """Record one attempt in the store."""
    try:
        app.store.record_attempt(
            lesson.slug,
            source=submission.text,
            status=verdict.status,
            verdict=json.dumps(check_report(verdict, str(submission.path))),
            device=verdict.device,
            jax=verdict.jax_version,
            python=platform.python_version(),
            seconds=verdict.seconds,
            starter=starter_version(lesson),
        )
    except StoreError as error:
        app.warn(error.message, error.remedy)


def starter_version(lesson: Lesson) -> str:
    """Return a short digest that identifies the version of a lesson's starter."""
    return hashlib.sha256(lesson.addition.encode()).hexdigest()[:12]


def is_given(app: App, lesson: Lesson, text: str) -> bool:
    """Return whether a text is what the learner was given, unchanged."""
    return text == project_files.given(app, lesson)


def file_to_check(app: App, lesson: Lesson) -> Path:
    """Return the learner's file for a lesson, created from the starter if it does not exist.

    The file of a project gets what the step adds. Raises TutorError.
    """
    from jaxtutor.storage.workspace import ensure

    path = app.file(lesson)
    if lesson.is_step and os.path.lexists(path):
        project_files.grow_file(app, lesson, path)
        return path
    return ensure(path, project_files.given(app, lesson))
