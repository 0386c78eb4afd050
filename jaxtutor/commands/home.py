"""Implements `jaxtutor` without a command: says where the learner is, and what comes next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.commands import PASSED
from jaxtutor.commands.pages import read_progress
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.learning.progress import Progress
from jaxtutor.errors import StoreError
from jaxtutor.storage import clock

if TYPE_CHECKING:
    from rich.text import Text


def home(app: App) -> int:
    """Print the progress, the current lesson, and the commands that continue from here."""
    for line in _lines(app, read_progress(app)):
        app.console.print(line)
    return PASSED


def _lines(app: App, progress: dict[str, Progress]) -> Iterator[Text]:
    from rich.text import Text

    from jaxtutor.display.progress import Canvas
    from jaxtutor.display.theme import visible

    lesson, lessons = app.lesson(None), app.course.lessons
    passed = sum(progress.get(it.slug, Progress()).status == "passed" for it in lessons)
    canvas = Canvas(app.console.width, app.marks)
    count = Text(f"{passed} of {len(lessons)} lessons passed", style="title")
    bar = Text("  ") + canvas.bar(passed, len(lessons), 24)
    yield count if canvas.in_words or count.cell_len + 26 > canvas.width else count + bar
    if not lesson.fault:
        yield Text()
        yield Text(visible(lesson.info.title), style="title", overflow="fold")
    yield Text(_describe(app, lesson, progress.get(lesson.slug, Progress())), overflow="fold")
    yield Text()
    steps = list(_steps(app, lesson, progress))
    width = max(len(command) for command, _ in steps)
    for command, says in steps:
        if canvas.in_words:
            yield Text(f"{says}: {command}", overflow="fold")
        elif width + len(says) + 4 > canvas.width:
            yield Text(f"{says}:", overflow="fold")
            yield Text(f"  {command}", style="code", overflow="fold")
        else:
            yield Text.assemble((f"  {command:<{width}}", "code"), f"  {says}")


def _describe(app: App, lesson: Lesson, done: Progress) -> str:
    """Describe the current lesson and how far the learner has come with it."""
    from jaxtutor.display.progress import place_text
    from jaxtutor.display.theme import visible

    if lesson.fault:
        return f"Lesson {lesson.number}, {lesson.slug}, is broken: {visible(lesson.fault)}"
    tries = f"{done.attempts} attempt{'' if done.attempts == 1 else 's'}"
    state = {"new": "Not started.", "passed": "Passed."}.get(done.status, f"Started, {tries}.")
    return f"{place_text(app.course, lesson)} {state}"


def _steps(app: App, lesson: Lesson, progress: dict[str, Progress]) -> Iterator[tuple[str, str]]:
    """Yield the commands that make sense now, the likeliest first, and what each does."""
    done = progress.get(lesson.slug, Progress())
    following = app.course.after(lesson)
    if done.status == "passed" and following is not None:
        yield f"jaxtutor start {following.slug}", "go on with the next lesson"
    elif done.status == "passed" and any(
        progress.get(it.slug, Progress()).status != "passed" for it in app.course.lessons
    ):
        yield "jaxtutor list --todo", "list the lessons that are left"
    else:
        begun = "continue the lesson" if done.status == "started" else "open the lesson"
        yield "jaxtutor start", f"{begun} in your editor"
    if due := _count_due(app, progress):
        says = "lesson is" if due == 1 else "lessons are"
        yield "jaxtutor review", f"{due} {says} due for review"
    yield "jaxtutor list", "list the course"
    yield "jaxtutor --help", "list all commands"


def _count_due(app: App, progress: dict[str, Progress]) -> int:
    """Count the lessons due for review; the scheduler is loaded only if there can be one."""
    if not any(done.passed_at for done in progress.values()):
        return 0
    from jaxtutor.commands.reviews import find_recalls

    now = clock.now()
    try:
        return sum(recall.due <= now for recall in find_recalls(app, now))
    except StoreError as error:
        app.warn(error.message, error.remedy)
        return 0
