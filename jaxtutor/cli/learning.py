"""Declares the commands by which one works on lessons."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from jaxtutor.cli.declarations import LEARN, Argument, Commands, Option, shared_options
from jaxtutor.cli.parameters import ALL, Junit, LessonArgument, Target
from jaxtutor.errors import UsageError

if TYPE_CHECKING:
    from jaxtutor.app import App

commands = Commands()


@commands.command(rich_help_panel=LEARN)
@shared_options("device", "plain", "course", "workspace")
def start(
    app: App,
    lesson: LessonArgument = None,
    layout: Annotated[
        str | None,
        Option(
            metavar="WHERE",
            help="Where to show the verdict: rows, panes, plain or auto.",
            completes="layout",
        ),
    ] = None,
) -> int:
    """Open a lesson in your editor and check it on every save."""
    from jaxtutor.session.terminal_process import start

    return start(app, lesson, layout)


@commands.command(rich_help_panel=LEARN)
@shared_options(*ALL, "format")
def check(
    app: App,
    target: Target = None,
    lesson: Annotated[
        str | None,
        Option(
            "--lesson",
            metavar="LESSON",
            help="The lesson of FILE.",
            completes="lesson",
        ),
    ] = None,
    watch: Annotated[bool, Option("--watch", help="Check again on every save.")] = False,
    no_keep: Annotated[
        bool, Option("--no-keep", help="Do not keep a process ready for the next check.")
    ] = False,
    confine: Annotated[
        bool, Option("--confine", help="Confine the file as `grade` does, or run nothing.")
    ] = False,
    junit: Junit = None,
) -> int:
    """Check a lesson's file once, or on every save."""
    from jaxtutor.commands import verdicts

    if not watch:
        return verdicts.check(app, target, lesson, junit, not no_keep, confine)
    if confine:
        raise UsageError("--confine cannot be combined with --watch.", "Leave one of them out.")
    if junit:
        raise UsageError("--junit cannot be combined with --watch.", "Leave one of them out.")
    return verdicts.watch(app, target, lesson)


@commands.command(rich_help_panel=LEARN)
@shared_options("json", "plain", "course", "workspace", "device")
def hint(
    app: App,
    lesson: LessonArgument = None,
    every: Annotated[bool, Option("--all", help="Show every hint.")] = False,
    again: Annotated[bool, Option("--again", help="Repeat the last hint.")] = False,
) -> int:
    """Show the next hint; after the last, a fix for your file."""
    from jaxtutor.commands import hints

    return hints.hint(app, lesson, every, again)


@commands.command(rich_help_panel=LEARN)
@shared_options(*ALL)
def predict(
    app: App,
    lesson: LessonArgument = None,
    answer: Annotated[
        str | None, Option("--answer", metavar="TEXT", help="The answer to one question.")
    ] = None,
    question: Annotated[
        int,
        Option(
            "--question",
            metavar="N",
            help="The question to answer.",
            completes="question",
        ),
    ] = 1,
) -> int:
    """Predict what a program does, then run it to check."""
    from jaxtutor.commands import predictions

    return predictions.predict(app, lesson, question, answer)


@commands.command(rich_help_panel=LEARN)
@shared_options("json", "plain", "workspace", "device")
def drill(
    app: App,
    name: Annotated[
        str | None,
        Argument(
            metavar="DRILL",
            help="The name of one drill.",
            completes="drill",
        ),
    ] = None,
    cause: Annotated[
        str | None,
        Option(
            "--cause",
            metavar="NAME",
            help="Drill this cause; with --line, the cause that you see.",
            completes="drilled_cause",
        ),
    ] = None,
    line: Annotated[
        int | None, Option("--line", metavar="N", help="The line that has to change.")
    ] = None,
    fix: Annotated[
        Path | None,
        Option("--fix", metavar="FILE", help="Run this file as the fixed program."),
    ] = None,
) -> int:
    """Find and fix mistakes in small programs, yours first."""
    from jaxtutor.commands import drills

    return drills.drill(app, name, drills.DrillAnswer(line, cause, fix))


@commands.command("next", rich_help_panel=LEARN)
@shared_options("json", "plain", "course", "workspace")
def next_(app: App) -> int:
    """Go to the next lesson."""
    from jaxtutor.commands import pages

    return pages.move(app, 1)


@commands.command(rich_help_panel=LEARN)
@shared_options("json", "plain", "course", "workspace")
def prev(app: App) -> int:
    """Go to the previous lesson."""
    from jaxtutor.commands import pages

    return pages.move(app, -1)


@commands.command(rich_help_panel=LEARN)
@shared_options("json", "plain", "course", "workspace")
def reset(app: App, lesson: LessonArgument = None) -> int:
    """Restore the starter; a copy of your text is kept."""
    from jaxtutor.commands import files

    return files.reset(app, lesson)


@commands.command(rich_help_panel=LEARN)
@shared_options("json", "plain", "course", "workspace")
def solution(app: App, lesson: LessonArgument = None) -> int:
    """Show the solution of a lesson."""
    from jaxtutor.commands import pages

    return pages.solution(app, lesson)


@commands.command(rich_help_panel=LEARN)
@shared_options("json", "plain", "course", "workspace")
def restore(
    app: App,
    number: Annotated[
        str,
        Argument(
            metavar="NUMBER",
            help="An attempt's number in `history`.",
            completes="attempt",
        ),
    ],
    lesson: LessonArgument = None,
) -> int:
    """Restore an earlier attempt; a copy of your text is kept."""
    from jaxtutor.commands import files

    return files.restore(app, lesson, number)


@commands.command(rich_help_panel=LEARN)
@shared_options("json", "plain", "course", "workspace")
def review(
    app: App,
    lesson: LessonArgument = None,
    give_up: Annotated[
        bool, Option("--give-up", help="Cancel the review and restore your earlier text.")
    ] = False,
) -> int:
    """List the lessons due for review, or start the review of one."""
    from jaxtutor.commands import reviews

    return reviews.review(app, lesson, give_up)
