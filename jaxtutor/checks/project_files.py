"""Grows a project's file when a step is opened, and finds the texts that passed earlier steps."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING

from jaxtutor.core.judging.steps import failed_step
from jaxtutor.core.learning.growing import changed, definitions, grow
from jaxtutor.errors import StoreError, SubmissionError
from jaxtutor.storage import workspace

if TYPE_CHECKING:
    from jaxtutor.app import App
    from jaxtutor.content.lesson import Lesson
    from jaxtutor.core.data.verdicts import Verdict
    from jaxtutor.storage.store import Attempt


def given(app: App, lesson: Lesson) -> str:
    """Return what the learner starts a lesson from.

    For a step of a project, this is the newest text of theirs that passed an earlier step, with
    what has been added since. Without such a text, the starters of all steps up to this one.
    """
    if not lesson.is_step:
        return lesson.starter
    steps = (*lesson.earlier, lesson)
    for place in range(len(lesson.earlier), 0, -1):
        if found := _newest_pass(app, steps[place - 1], without=lesson.info.function):
            return _add(steps[place:], found[1])
    return _add(steps, "")


def grow_file(app: App, lesson: Lesson, path: Path) -> None:
    """Add what a step brings to the learner's file, unless the file has it. Raises TutorError.

    A copy of the text is kept. A file that is not a Python program is left as it is: checking it
    says why.
    """
    try:
        submission = workspace.read(path)
    except SubmissionError:
        return
    present = definitions(submission.text)
    if lesson.info.function in present:
        return
    steps = (*lesson.earlier, lesson)
    text = _add((it for it in steps if it.info.function not in present), submission.text)
    if text != submission.text:
        app.store.keep_source(lesson.slug, submission.data, f"before step {lesson.number}")
        workspace.write_atomically(path, submission.encode(text))


def say_what_broke(app: App, lesson: Lesson, text: str, verdict: Verdict) -> str:
    """Say which earlier step an edit broke, and how to restore the text that passed it.

    Empty if no earlier step is at fault.
    """
    if verdict.status == "passed" or not lesson.earlier:
        return ""
    present = definitions(text)
    missing = [it for it in lesson.earlier if present and it.info.function not in present]
    place = failed_step(verdict)
    if missing:
        place = lesson.earlier.index(missing[0]) + 1
        says = f"Your file no longer defines `{missing[0].info.function}`, which step {place} added"
    elif place:
        says = f"Step {place}, {lesson.earlier[place - 1].info.title!r}, fails now"
    else:
        return ""
    return f"{says}. {_offer(app, lesson.earlier[place - 1 :])}".rstrip()


def say_what_changed(app: App, lesson: Lesson, text: str, verdict: Verdict) -> str:
    """Name a definition of an earlier step that is not what it was when the file last passed.

    A step's own checks may fail because of it, and then say nothing of it. Where a cause is known,
    that is why.
    """
    known = [*verdict.findings, *([verdict.diagnosis] if verdict.diagnosis else [])]
    if verdict.status == "passed" or not lesson.earlier or any(one.cause for one in known):
        return ""
    passes = [found for step in (*lesson.earlier, lesson) if (found := _newest_pass(app, step))]
    if not passes:
        return ""
    _, before = max(passes, key=lambda found: found[0].when)
    names = changed(before, text) - {lesson.info.function}
    for number, step in enumerate(lesson.earlier, 1):
        for name in sorted(names & definitions(step.addition)):
            return (
                f"`{name}`, of step {number}, is not what it was when your file last passed. "
                f"`jaxtutor check {step.slug}` checks that step alone."
            )
    return ""


def _offer(app: App, steps: tuple[Lesson, ...]) -> str:
    """Name the command that restores the newest text that passed these steps, the last first."""
    for step in reversed(steps):
        if found := _newest_pass(app, step):
            command = f"jaxtutor restore {found[0].n} {step.slug}"
            return f"To go back to the text that passed {step.slug}: `{command}`"
    return ""


def _newest_pass(app: App, lesson: Lesson, without: str = "") -> tuple[Attempt, str] | None:
    """Return the newest attempt at a lesson that passed, and its text.

    With `without`, a text that defines this name is passed over: it is of a later step.
    """
    try:
        for attempt in reversed(app.store.attempts(lesson.slug)):
            if attempt.status == "passed":
                text = app.store.source(attempt)
                if without not in definitions(text):
                    return attempt, text
    except StoreError as error:
        app.warn(error.message, error.remedy)
    return None


def _add(steps: Iterable[Lesson], text: str) -> str:
    return reduce(grow, (step.addition for step in steps), text)
