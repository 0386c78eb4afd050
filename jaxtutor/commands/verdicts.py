"""Implements `check`, once or on every save, and prints verdicts."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.commands import NOT_PASSED, PASSED
from jaxtutor.content.course import PREFIX, Chapter, Course
from jaxtutor.content.lesson import Lesson
from jaxtutor.errors import StoreError, SubmissionError, TutorError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType
    from rich.text import Text

    from jaxtutor.core.data.verdicts import Verdict


PATIENCE = 6.0
"""Seconds that a first wrong answer in a lesson waits for what its known mistakes answer."""


def check(
    app: App,
    target: str | None,
    lesson_name: str | None,
    junit: Path | None = None,
    keeps: bool = False,
    confined: bool = False,
) -> int:
    """Check one submission.

    `keeps` parks the worker, so that the next check starts warm. `confined` runs the submission as
    `grade` does, or raises TutorError if that is not possible.
    """
    from jaxtutor.checks.attempts import attempt
    from jaxtutor.storage import workspace

    lesson, path = locate(app, target, lesson_name)
    if confined:
        _confine(app, path)
    lesson.require_packages()
    try:
        submission = workspace.read(path)
    except SubmissionError as error:
        _write_junit(junit, lesson, path, error.message)
        raise
    link = workspace.link_target(path)
    with app.waiting("Checking your file"):
        verdict = attempt(app, lesson, submission, patience=PATIENCE)
    assert verdict is not None, "nothing cancels this check"
    _warn_of_link(app, path, link)
    _write_junit(junit, lesson, path, verdict)
    show_verdict(app, lesson, path, verdict, submission.text)
    if keeps and not confined and app.interactive and not app.options.json:
        from jaxtutor.processes import standby

        standby.park(app.checker.kind(lesson))
    return status_of(verdict)


def _warn_of_link(app: App, path: Path, link: str) -> None:
    """Say if the file was replaced by a link while it ran: the next check would read the target."""
    from jaxtutor.storage import workspace

    found = workspace.link_target(path)
    if found != link and found:
        app.warn(
            f"{path} was replaced by a link to {found} while it ran.",
            "The next check would read that file. Remove the link, and restore yours: "
            "jaxtutor restore",
        )


def _confine(app: App, path: Path) -> None:
    """Confine the checks of this command, which are of one file."""
    from dataclasses import replace
    from functools import partial

    from jaxtutor.processes import sandbox

    found = sandbox.probe()
    if found.problem:
        raise TutorError(
            f"The submission cannot be confined: {found.problem}. Nothing was run.", found.remedy
        )
    private = (path, app.workspace.root, app.workspace.data)
    wrap = partial(sandbox.wrap, private=private)
    # Without `programs`: a submission that can write to that cache can change the next verdict.
    app.checker = replace(app.checker, wrap=wrap, programs=None)


def _write_junit(junit: Path | None, lesson: Lesson, path: Path, result: Verdict | str) -> None:
    """Write the JUnit file if one was requested: of a verdict, or of the reason for having none."""
    if junit is None:
        return
    from jaxtutor.core.grading.grades import SubmittedFile, grade_of, ungraded
    from jaxtutor.core.grading.junit import write
    from jaxtutor.storage import workspace

    file = SubmittedFile("", lesson.slug, str(path), "")
    if isinstance(result, str):
        grade = ungraded(file, "unreadable", result)
    else:
        grade = grade_of(file, result)
    workspace.write_out(junit, write([grade]))


def watch(app: App, target: str | None, lesson_name: str | None) -> int:
    """Check on every save until interrupted; a save during a check cancels the check.

    An error before the first verdict ends the watch; after that, the next save may succeed.
    """
    from queue import SimpleQueue

    from jaxtutor.core.debounce import FileEvent, InitialContent, Missing, ReadFailed, Saved
    from jaxtutor.storage import workspace
    from jaxtutor.watch.background import Background, CheckFinished
    from jaxtutor.watch.file_watcher import FileWatcher

    lesson, path = locate(app, target, lesson_name)
    lesson.require_packages()
    app.trust_course()
    events: SimpleQueue[CheckFinished | FileEvent] = SimpleQueue()
    background = Background(app, events.put)
    has_checked = False
    if not app.options.json:
        app.console.print(
            f"Watching {path}. It is checked now and on every save. Ctrl-C stops.",
            style="quiet",
        )
    try:
        with app.holding_files(), FileWatcher(path, lambda _, event: events.put(event)):
            while True:
                match events.get():
                    case (InitialContent(data) | Saved(data)) as event:
                        saved = isinstance(event, Saved)
                        try:
                            background.submit(lesson, workspace.decode(path, data), saved)
                        except TutorError as error:
                            background.cancel()
                            app.warn(error.message, error.remedy)
                    case Missing():
                        app.warn(f"{path} does not exist.", "It is checked when it is saved again.")
                    case ReadFailed(reason):
                        app.warn(f"{path} cannot be read: {reason}.")
                    case CheckFinished(error=None, verdict=verdict, submission=submission) if (
                        verdict
                    ):
                        has_checked = True
                        show_verdict(app, lesson, path, verdict, submission.text)
                    case CheckFinished(error=error) if error and has_checked:
                        app.warn(error.message, error.remedy)
                    case CheckFinished(error=error) if error:
                        raise error
    finally:
        background.close()


def status_of(verdict: Verdict) -> int:
    """Return the exit status for a verdict."""
    if verdict.status == "lesson_at_fault":
        return TutorError.status
    return PASSED if verdict.status == "passed" else NOT_PASSED


def locate(app: App, target: str | None, lesson_name: str | None) -> tuple[Lesson, Path]:
    """Find the lesson and the file that the arguments name, either a lesson or a file."""
    from jaxtutor.checks.attempts import file_to_check

    if target is not None and _is_file(target):
        path = Path(target).absolute()
        if not os.path.lexists(path):  # for a dangling link, reading gives a better message
            raise UsageError(f"{target} does not exist.", _where_it_is(app, path))
        return app.lesson(lesson_name) if lesson_name else app.lesson_of(path), path
    if target is not None and lesson_name is not None:
        raise UsageError(f"{target} does not exist.", _MISSING)
    lesson = app.lesson(target or lesson_name)
    return lesson, file_to_check(app, lesson)


def _where_it_is(app: App, path: Path) -> str:
    """Name the file of the lesson that a missing file was for, as it may have been moved."""
    with suppress(TutorError):
        lesson = app.lesson_of(path)
        if (file := app.file(lesson)).exists():
            return f"The file of {lesson.slug} is {file}."
    return _MISSING


_MISSING = "Give an existing file, or just the lesson name."


def _is_file(target: str) -> bool:
    return target.endswith(".py") or "/" in target or Path(target).is_file()


def show_verdict(app: App, lesson: Lesson, path: Path, verdict: Verdict, source: str) -> None:
    """Print a verdict as text or JSON."""
    if app.options.json:
        from jaxtutor.core.reporting.reports import check_report

        app.print_json(check_report(verdict, str(path)))
        return
    from jaxtutor.display.prose import relative

    if verdict.status == "passed":
        following = app.course.after(lesson)
        after = (
            f"Next: jaxtutor next ({following.slug})"
            if following
            else say_end(app.course, lesson, relative(path))
        )
    else:
        after = f"{relative(path)}   hint: jaxtutor hint"
    width = app.renderer.width
    progress = list(_draw_progress(app, lesson)) if verdict.status == "passed" else []
    app.console.print(draw_verdict(app, lesson, verdict, source, ""), width=width)
    for line in progress:
        app.console.print(line, width=width)
    app.console.print(after, style="quiet", width=width)


def say_end(course: Course, lesson: Lesson, file: str) -> str:
    """Say what comes after the last lesson: a project, or the program that is complete."""
    if lesson.is_step:
        return f"The program is complete. Run it: python {file}"
    if course.projects:
        return f"That was the last lesson. Build a program: {start_command(course.projects[0])}"
    return "That was the last lesson."


def start_command(project: Chapter) -> str:
    """Return the command that opens a project."""
    return f"jaxtutor start {PREFIX}{project.name}"


def _draw_progress(app: App, lesson: Lesson) -> Iterator[Text]:
    """Draw what a pass adds to the chapter, and an empty line; nothing if it is not known."""
    from rich.text import Text

    from jaxtutor.display.progress import Canvas, pass_lines

    try:
        progress, passes = app.store.progress(), app.store.count_passes(lesson.slug)
    except StoreError:  # recording the attempt has reported it
        return
    canvas = Canvas(app.renderer.width, app.marks)
    yield from pass_lines(app.course, progress, lesson, passes == 1, canvas, app.renderer.prose)
    yield Text()


def draw_verdict(
    app: App, lesson: Lesson, verdict: Verdict, source: str, after: str
) -> RenderableType:
    """Draw a verdict, with the next step as the last line."""
    return app.renderer.verdict(verdict, source, lesson.info.new, after)
