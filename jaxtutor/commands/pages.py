"""Implements the commands that show lessons and move between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.commands import PASSED
from jaxtutor.commands.printing import print_code, print_long
from jaxtutor.content.course import Chapter, Course
from jaxtutor.content.lesson import Lesson
from jaxtutor.errors import StoreError, UsageError

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from jaxtutor.core.learning.progress import Progress
    from jaxtutor.core.reporting.outputs.lessons import ListedLesson, ShowOutput


def show(app: App, name: str | None) -> int:
    """Print a lesson's page, in a pager if it is long."""
    part = app.course.find_part(name) if name else None
    lesson = app.lesson(name)
    if app.options.json:
        app.print_json(_show_output(app, lesson))
        return PASSED
    print_page(app, lesson, part.page if part else "")
    return PASSED


def print_page(app: App, lesson: Lesson, above: str = "") -> None:
    """Print a lesson's page, below Markdown such as a chapter's page."""
    from jaxtutor.display.drawn_pages import markdown_page
    from jaxtutor.display.pages import lesson_page
    from jaxtutor.display.prose import relative

    file = relative(app.file(lesson))
    above = above or introduction(app.course, lesson, read_progress(app))

    def draw(text: str) -> RenderableType:
        return markdown_page(text, app.options.plain, app.workspace.pages)

    print_long(app, lesson_page(lesson, app.course, file, draw, above=above))


def introduction(course: Course, lesson: Lesson, progress: Mapping[str, Progress]) -> str:
    """Return what to read when a chapter begins: before the first attempt at its first lesson."""
    chapter = course.chapter_of(lesson)
    is_first = lesson == chapter.lessons[0]
    if not is_first or _status(progress, lesson) != "new" or not chapter.introduction:
        return ""
    return f"**{chapter.kind} {chapter.label}.** {chapter.introduction}"


def print_welcome(app: App, prefix: str) -> None:
    """Print the page that greets a learner; `prefix` is the key that leads to the panel."""
    from jaxtutor.content.welcome import read_welcome
    from jaxtutor.display.markdown import make_page

    print_long(app, make_page(f"{read_welcome(prefix)}\n---\n", app.options.plain))


def _show_output(app: App, lesson: Lesson) -> ShowOutput:
    from jaxtutor.core.reporting.outputs.lessons import ShowOutput

    info = lesson.info
    return ShowOutput(
        slug=lesson.slug,
        number=lesson.number,
        chapter=app.course.chapter_of(lesson).title,
        title=info.title,
        function=info.function,
        difficulty=info.difficulty,
        minutes=info.minutes,
        packages=tuple(info.needs.packages),
        requires=tuple(info.requires),
        docs=tuple(info.docs),
        hints=len(info.hints),
        file=str(app.file(lesson)),
        page=lesson.page,
    )


def list_lessons(
    app: App, chapter: str | None = None, every: bool = False, todo: bool = False
) -> int:
    """List the lessons with progress; if they do not fit the screen, only the current chapter's.

    `todo` lists the lessons that are not passed, of every chapter.
    """
    app.read_all_lessons()
    progress = read_progress(app)
    opened = _choose_chapters(app, chapter, every or todo)
    if app.options.json:
        from jaxtutor.core.reporting.outputs.lessons import ListOutput

        known = app.course.every_lesson
        lessons = [it for it in known if chapter is None or it in opened[0].lessons]
        entries = [_entry(app, it, progress) for it in lessons]
        wanted = tuple(it for it in entries if not todo or it.status != "passed")
        app.print_json(ListOutput(lessons=wanted))
        return PASSED
    from rich.console import Group

    from jaxtutor.display.progress import Canvas, course_lines

    course, current = app.course, app.current()
    canvas = Canvas(app.console.width, app.marks)
    left = [it.slug for it in course.every_lesson if _status(progress, it) != "passed"]
    is_project = chapter is not None and opened[0].is_project
    only = left if todo else [it.slug for it in opened[0].lessons] if is_project else None
    lines: list[RenderableType] = [*course_lines(course, progress, current, canvas, opened, only)]
    if todo and not lines:
        app.console.print("Every lesson is passed.", style="passed")
        return PASSED
    if is_project and not todo:
        lines = [*_project_page(app, opened[0]), *lines]
    elif chapter is not None and opened[0].introduction:
        lines.append(_name_introduction(opened[0]))
    page = Group(*lines)
    if todo or len(opened) == len(course.parts):
        print_long(app, page, canvas.width)
        return PASSED
    app.console.print(page)
    if chapter is None:
        app.console.print(
            "Another chapter: jaxtutor list NUMBER. All chapters: --all", style="quiet"
        )
    return PASSED


def _name_introduction(chapter: Chapter) -> Text:
    """Draw the command that shows the page of a chapter."""
    from rich.text import Text

    label = chapter.label
    return Text(f"Introduction to chapter {label}: jaxtutor show {label}", style="quiet")


def _project_page(app: App, project: Chapter) -> Iterator[RenderableType]:
    """Draw the page of a project."""
    from jaxtutor.display.markdown import make_page

    if project.page:
        yield make_page(project.page, app.options.plain)
        yield ""


def _choose_chapters(app: App, chapter: str | None, every: bool) -> Sequence[Chapter]:
    """Choose the chapters whose lessons are listed."""
    course = app.course
    if chapter is not None:
        return (course.find_chapter(chapter),)
    lines = len(course.every_lesson) + 2 * len(course.parts)
    if every or app.options.json or not app.stdout.isatty() or lines < app.console.height:
        return course.parts
    lesson = app.lesson(None)
    return (course.chapter_of(lesson),)


def read_progress(app: App) -> dict[str, Progress]:
    """Return the progress of each lesson; if it cannot be read, warn and return nothing."""
    try:
        return app.store.progress()
    except StoreError as error:
        app.warn(error.message, error.remedy)
        return {}


def _status(progress: Mapping[str, Progress], lesson: Lesson) -> str:
    from jaxtutor.core.learning.progress import Progress

    return progress.get(lesson.slug, Progress()).status


def _entry(app: App, lesson: Lesson, progress: dict[str, Progress]) -> ListedLesson:
    from jaxtutor.core.learning.progress import Progress
    from jaxtutor.core.reporting.outputs.lessons import ListedLesson

    done = progress.get(lesson.slug, Progress())
    return ListedLesson(
        slug=lesson.slug,
        number=lesson.number,
        chapter=app.course.chapter_of(lesson).title,
        title="" if lesson.fault else lesson.info.title,
        difficulty="" if lesson.fault else lesson.info.difficulty,
        status="broken" if lesson.fault else done.status,
        attempts=done.attempts,
        hints_shown=done.hints_shown,
        missing=tuple(lesson.missing),
    )


def move(app: App, step: int) -> int:
    """Move to the next or previous lesson, and show it."""
    lesson = app.lesson(None)
    target, skipped = app.course.after(lesson, step), app.course.skipped_after(lesson, step)
    if target is None:
        for other in skipped[:1]:
            other.require_packages()
        from jaxtutor.commands.verdicts import say_end
        from jaxtutor.display.prose import relative

        end = say_end(app.course, lesson, relative(app.file(lesson))) if step > 0 else ""
        kind = "step of its project" if lesson.is_step else "lesson"
        raise UsageError(
            f"{lesson.slug} is the {'last' if step > 0 else 'first'} {kind}.",
            end if lesson.is_step and end else "See the whole course: jaxtutor list",
        )
    from jaxtutor.checks.attempts import file_to_check

    if skipped:
        _report_skipped(app, skipped)
    file_to_check(app, target)
    app.store.set_current(target.slug)
    return show(app, target.slug)


def _report_skipped(app: App, skipped: Sequence[Lesson]) -> None:
    """Say which lessons were skipped because packages are missing, and how to install them."""
    from jaxtutor.system.packages import install_command, name_of

    missing = {name_of(each): each for lesson in skipped for each in lesson.missing}
    count = "1 lesson was" if len(skipped) == 1 else f"{len(skipped)} lessons were"
    app.warn(
        f"{count} skipped, because {' and '.join(sorted(missing))} would be needed.",
        f"\n  Install what is missing: {install_command(missing.values())}",
    )


def solution(app: App, name: str | None) -> int:
    """Print the lesson's solution."""
    lesson = app.lesson(name)
    if app.options.json:
        from jaxtutor.core.reporting.outputs.lessons import SolutionOutput

        app.print_json(SolutionOutput(lesson=lesson.slug, source=lesson.solution))
        return PASSED
    print_code(app, lesson.solution)
    return PASSED
