"""Owns the learner's file and its past: `reset`, `restore`, `history`, `diff`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.commands import NOT_PASSED, PASSED
from jaxtutor.commands.printing import say
from jaxtutor.course import Lesson
from jaxtutor.errors import UsageError

if TYPE_CHECKING:
    from jaxtutor.workspace import Submission


def reset(app: App, name: str | None) -> int:
    """Put the starter back; the learner's file is kept in the store first."""
    lesson = app.lesson(name)
    return _replace_file(app, lesson, lesson.starter, "before reset", "the starter")


def restore(app: App, name: str | None, which: str) -> int:
    """Bring back the source of an earlier attempt (`3`) or of a file put away (`k1`)."""
    lesson = app.lesson(name)
    text = _earlier_source(app, lesson, which)
    return _replace_file(app, lesson, text, f"before restoring {which}", f"number {which}")


def _earlier_source(app: App, lesson: Lesson, which: str) -> str:
    number = which.removeprefix("k")
    if not number.isdigit():
        raise UsageError(f"{which!r} is no number of an attempt.", "See: jaxtutor history")
    entries = (
        app.store.kept(lesson.slug) if which.startswith("k") else app.store.attempts(lesson.slug)
    )
    for entry in entries:
        if entry.n == int(number):
            return app.store.source(entry)
    raise UsageError(
        f"{lesson.slug} has no attempt {which}.", f"See: jaxtutor history {lesson.slug}"
    )


def _replace_file(app: App, lesson: Lesson, text: str, reason: str, what: str) -> int:
    """Write the learner's file anew, once its present text is safe in the store."""
    from jaxtutor import workspace
    from jaxtutor.ui.render import relative

    path = app.file(lesson)
    kept = ""
    if path.exists():
        present = workspace.read(path)
        if present.text == text:
            return say(app, lesson, f"{relative(path)} is {what} already.")
        number = app.store.keep_source(lesson.slug, present.text, reason)
        kept = f" Your text is kept: jaxtutor restore k{number} {lesson.slug}"
    workspace.write_atomically(path, workspace.encode(text))
    return say(app, lesson, f"{relative(path)} holds {what} now.{kept}")


def history(app: App, name: str | None) -> int:
    """List every attempt at a lesson."""
    lesson = app.lesson(name)
    attempts, kept = app.store.attempts(lesson.slug), app.store.kept(lesson.slug)
    if app.options.json:
        app.print_json(
            {
                "schema": 1,
                "lesson": lesson.slug,
                "attempts": [
                    {
                        "n": entry.n,
                        "when": entry.when.isoformat(),
                        "status": entry.status,
                        "device": entry.device,
                        "jax_version": entry.jax,
                        "seconds": entry.seconds,
                    }
                    for entry in attempts
                ],
                "kept": [
                    {"n": f"k{entry.n}", "when": entry.when.isoformat(), "reason": entry.reason}
                    for entry in kept
                ],
            }
        )
        return PASSED
    if not attempts and not kept:
        return say(
            app, lesson, f"No attempts at {lesson.slug} yet. Begin: jaxtutor start {lesson.slug}"
        )
    from jaxtutor.ui.pages import history_page

    for part in history_page(attempts, kept, app.marks):
        app.console.print(part)
    app.console.print(f"Bring one back: jaxtutor restore N {lesson.slug}", style="quiet")
    return PASSED


def diff(app: App, name: str | None, against: str, jaxpr: bool) -> int:
    """Show the learner's file against the starter, the solution, or an earlier attempt."""
    from jaxtutor import workspace
    from jaxtutor.attempts import file_to_check

    lesson = app.lesson(name)
    path = file_to_check(app, lesson)
    mine = workspace.read(path)
    if jaxpr:
        return _diff_jaxprs(app, lesson, path, mine)
    theirs = {"starter": lesson.starter, "solution": lesson.solution}.get(against)
    if theirs is None:
        theirs = _earlier_source(app, lesson, against)
    lines = list(app.renderer.source_diff(theirs, mine.text, (against, "yours")))
    if app.options.json:
        text = "\n".join(line.plain for line in lines)
        app.print_json({"schema": 1, "lesson": lesson.slug, "against": against, "diff": text})
        return PASSED
    if not lines:
        return say(app, lesson, f"Your file and {_against(against)} are the same.")
    for line in lines:
        app.console.print(line)
    return PASSED


def _against(against: str) -> str:
    return f"attempt {against}" if against.isdigit() else f"the {against}"


def _diff_jaxprs(app: App, lesson: Lesson, path: Path, mine: Submission) -> int:
    from jaxtutor.attempts import attempt
    from jaxtutor.core.jaxprs import lines_alike

    verdict = attempt(app, lesson, mine)
    assert verdict is not None, "nothing cancels this check"
    if verdict.jaxpr is None or verdict.reference_jaxpr is None:
        if verdict.failure is not None and not app.options.json:
            from jaxtutor.commands.verdicts import show_verdict

            show_verdict(app, lesson, path, verdict, mine.text)
            return NOT_PASSED
        raise UsageError(
            f"{lesson.slug} has no jaxpr to compare.", "It works on functions, not arrays."
        )
    if app.options.json:
        ours, yours = lines_alike(verdict.reference_jaxpr, verdict.jaxpr)
        app.print_json(
            {
                "schema": 1,
                "lesson": lesson.slug,
                "against": "solution",
                "solution": [line.text for line in ours],
                "yours": [line.text for line in yours],
            }
        )
        return PASSED
    for line in app.renderer.jaxpr_diff(verdict.jaxpr, verdict.reference_jaxpr):
        app.console.print(line)
    return PASSED
