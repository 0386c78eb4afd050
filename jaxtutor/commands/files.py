"""Implements the commands for the learner's file and its past versions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.commands import NOT_PASSED, PASSED
from jaxtutor.commands.printing import print_message
from jaxtutor.content.lesson import Lesson
from jaxtutor.errors import SubmissionError, UsageError
from jaxtutor.storage.store import EVERY

if TYPE_CHECKING:
    from jaxtutor.core.reporting.outputs.lessons import KeptVersion, PastAttempt
    from jaxtutor.storage.store import Attempt, SavedFile
    from jaxtutor.storage.workspace import Submission


MOST_ENTRIES = 200
"""Attempts and saved copies that `history` shows by itself: some screens, drawn in 50 ms."""
_NUMBER = re.compile(r"[0-9]{1,18}")


def reset(app: App, name: str | None) -> int:
    """Restore the starter, after saving the learner's file in the store."""
    from jaxtutor.checks.project_files import given
    from jaxtutor.storage.workspace import encode

    lesson = app.lesson(name)
    what = f"the file as step {lesson.number} began" if lesson.earlier else "the starter"
    return _replace_file(app, lesson, encode(given(app, lesson)), "before reset", what)


def restore(app: App, name: str | None, which: str) -> int:
    """Restore the source of an earlier attempt (`3`) or of a saved copy (`k1`)."""
    lesson = app.lesson(name)
    data = _earlier(app, lesson, which)
    return _replace_file(app, lesson, data, f"before restoring {which}", f"number {which}")


def _earlier(app: App, lesson: Lesson, which: str) -> bytes:
    """Return the bytes of an earlier version of the learner's file."""
    from jaxtutor.storage.workspace import encode

    number = which.removeprefix("k")
    if not _NUMBER.fullmatch(number):
        raise UsageError(f"{which!r} is not the number of an attempt.", "See: jaxtutor history")
    if which.startswith("k"):
        for kept in app.store.kept(lesson.slug):
            if kept.n == int(number):
                return app.store.data(kept)
    elif found := app.store.attempt(lesson.slug, int(number)):
        return encode(app.store.source(found))
    raise UsageError(
        f"{lesson.slug} has no attempt {which}.", f"See: jaxtutor history {lesson.slug}"
    )


def _replace_file(app: App, lesson: Lesson, data: bytes, reason: str, what: str) -> int:
    """Replace the learner's file, after saving its present contents in the store."""
    from jaxtutor.display.prose import relative
    from jaxtutor.storage import workspace

    path = app.file(lesson)
    kept = ""
    present = workspace.present(path)
    if present == data:
        return print_message(app, lesson, f"{relative(path)} already contains {what}.")
    if present is not None:
        number = app.store.keep_source(lesson.slug, present, reason)
        kept = f" Restore your text: jaxtutor restore k{number} {lesson.slug}"
    workspace.write_atomically(path, data)
    return print_message(app, lesson, f"{relative(path)} now contains {what}.{kept}")


def history(app: App, name: str | None, every: bool) -> int:
    """List the newest attempts at a lesson and saved copies of its file, or every one."""
    lesson = app.lesson(name)
    every = every or app.options.json
    most = EVERY if every else MOST_ENTRIES + 1  # one more shows that there are earlier ones
    attempts, kept = app.store.attempts(lesson.slug, most), app.store.kept(lesson.slug, most)
    if app.options.json:
        from jaxtutor.core.reporting.outputs.lessons import HistoryOutput

        past, versions = tuple(map(_past, attempts)), tuple(map(_version, kept))
        app.print_json(HistoryOutput(lesson=lesson.slug, attempts=past, kept=versions))
        return PASSED
    if not attempts and not kept:
        return print_message(
            app, lesson, f"No attempts at {lesson.slug} yet. Start: jaxtutor start {lesson.slug}"
        )
    from jaxtutor.display.pages import history_page

    entries: list[Attempt | SavedFile] = sorted([*attempts, *kept], key=lambda entry: entry.when)
    shown = entries if every else entries[-MOST_ENTRIES:]
    counts = app.store.count_attempts(lesson.slug)
    for part in history_page(shown, *counts, app.marks, app.console.width):
        app.console.print(part)
    if len(shown) < len(entries):
        app.console.print(f"Earlier ones: jaxtutor history {lesson.slug} --all", style="quiet")
    app.console.print(f"Restore one: jaxtutor restore N {lesson.slug}", style="quiet")
    return PASSED


def _past(attempt: Attempt) -> PastAttempt:
    from jaxtutor.core.reporting.outputs.lessons import PastAttempt

    return PastAttempt(
        n=attempt.n,
        when=attempt.when.isoformat(),
        status=attempt.status,
        device=attempt.device,
        jax_version=attempt.jax,
        seconds=attempt.seconds,
    )


def _version(kept: SavedFile) -> KeptVersion:
    from jaxtutor.core.reporting.outputs.lessons import KeptVersion

    return KeptVersion(n=f"k{kept.n}", when=kept.when.isoformat(), reason=kept.reason)


def diff(app: App, name: str | None, against: str, jaxpr: bool) -> int:
    """Compare the learner's file with the starter, the solution or an earlier version."""
    from jaxtutor.checks.attempts import file_to_check
    from jaxtutor.checks.project_files import given
    from jaxtutor.storage import workspace

    lesson = app.lesson(name)
    path = file_to_check(app, lesson)
    mine = workspace.read(path)
    if jaxpr:
        return _diff_jaxprs(app, lesson, path, mine)
    if against == "starter":
        theirs = given(app, lesson)
    elif against == "solution":
        theirs = lesson.solution
    else:
        theirs = workspace.decode(path, _earlier(app, lesson, against)).text
    lines = list(app.renderer.source_diff(theirs, mine.text, (against, "yours")))
    if app.options.json:
        from jaxtutor.core.reporting.outputs.lessons import DiffOutput

        text = "\n".join(line.plain for line in lines)
        app.print_json(DiffOutput(lesson=lesson.slug, against=against, diff=text))
        return PASSED
    if not lines:
        return print_message(app, lesson, f"Your file and {_against(against)} are identical.")
    for line in lines:
        app.console.print(line)
    return PASSED


def _against(against: str) -> str:
    return f"the {against}" if against in ("starter", "solution") else f"attempt {against}"


def _diff_jaxprs(app: App, lesson: Lesson, path: Path, mine: Submission) -> int:
    from jaxtutor.checks.attempts import judge
    from jaxtutor.core.judging.jaxprs import lines_alike

    with app.waiting("Checking your file"):
        verdict = judge(app, lesson, mine)
    assert verdict is not None, "nothing cancels this check"
    if verdict.jaxpr is None or verdict.reference_jaxpr is None:
        if verdict.status in ("passed", "lesson_at_fault"):
            raise UsageError(
                f"{lesson.slug} has no jaxpr to compare.",
                "Only lessons about functions of arrays have one.",
            )
        if app.options.json:
            headline = verdict.headline.rstrip(".")
            raise SubmissionError(f"Your file has no jaxpr yet. {headline}.", "See: jaxtutor check")
        from jaxtutor.commands.verdicts import show_verdict

        show_verdict(app, lesson, path, verdict, mine.text)
        return NOT_PASSED
    if app.options.json:
        from jaxtutor.core.reporting.outputs.lessons import DiffJaxprOutput

        ours, yours = lines_alike(verdict.reference_jaxpr, verdict.jaxpr)
        app.print_json(
            DiffJaxprOutput(
                lesson=lesson.slug,
                against="solution",
                solution=tuple(line.text for line in ours),
                yours=tuple(line.text for line in yours),
            )
        )
        return PASSED
    for line in app.renderer.jaxpr_diff(verdict.jaxpr, verdict.reference_jaxpr):
        app.console.print(line)
    return PASSED
