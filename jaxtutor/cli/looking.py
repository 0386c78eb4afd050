"""Declares the commands that show the course, the progress and the pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from jaxtutor.cli.declarations import LOOK, Argument, Commands, Option, shared_options
from jaxtutor.cli.parameters import ALL, Choose, LessonArgument
from jaxtutor.errors import UsageError

if TYPE_CHECKING:
    from jaxtutor.app import App

commands = Commands()


@commands.command(rich_help_panel=LOOK)
@shared_options("json", "plain", "course", "workspace")
def show(app: App, lesson: LessonArgument = None) -> int:
    """Show a lesson's text."""
    from jaxtutor.commands import pages

    return pages.show(app, lesson)


@commands.command("list", rich_help_panel=LOOK)
@shared_options("json", "plain", "course", "workspace")
def list_(
    app: App,
    chapter: Annotated[
        str | None,
        Argument(
            metavar="CHAPTER",
            help="Show the lessons of this chapter: its number or part of its name.",
            completes="chapter",
        ),
    ] = None,
    every: Annotated[bool, Option("--all", help="Show every chapter's lessons.")] = False,
    todo: Annotated[
        bool, Option("--todo", help="Show the lessons that you have not passed.")
    ] = False,
    choose: Choose = False,
) -> int:
    """List the course, with your progress."""
    from jaxtutor.commands import pages

    if choose:
        from jaxtutor.commands.choosing import choose_lesson
        from jaxtutor.session.terminal_process import start

        found = choose_lesson(app, chapter, todo)
        return 0 if found is None else start(app, found)
    return pages.list_lessons(app, chapter, every, todo)


@commands.command(rich_help_panel=LOOK)
@shared_options("json", "plain", "course")
def search(
    app: App,
    words: Annotated[
        list[str], Argument(metavar="WORDS...", help="What to look for, such as vmap axis.")
    ],
    every: Annotated[bool, Option("--all", help="Show every match.")] = False,
    choose: Choose = False,
) -> int:
    """Find lessons, chapters and causes by words."""
    from jaxtutor.commands import search

    return search.find(app, tuple(words), every, choose)


@commands.command(rich_help_panel=LOOK)
@shared_options("json", "plain", "course", "workspace")
def stats(app: App) -> int:
    """Show your progress, your attempts and a year of activity."""
    from jaxtutor.commands import stats

    return stats.stats(app)


@commands.command(rich_help_panel=LOOK)
@shared_options("json", "plain", "course", "workspace")
def history(
    app: App,
    lesson: LessonArgument = None,
    every: Annotated[
        bool, Option("--all", help="Show every attempt, not only the newest.")
    ] = False,
    choose: Choose = False,
) -> int:
    """List your attempts at a lesson."""
    from jaxtutor.commands import files

    if choose:
        from jaxtutor.commands import choosing

        return choosing.restore_version(app, lesson)
    return files.history(app, lesson, every)


@commands.command(rich_help_panel=LOOK)
@shared_options(*ALL)
def diff(
    app: App,
    lesson: LessonArgument = None,
    against: Annotated[
        str,
        Option(
            "--against",
            metavar="WHAT",
            help="What to compare with: starter, solution, or an attempt's number.",
            completes="against",
        ),
    ] = "starter",
    jaxpr: Annotated[
        bool, Option("--jaxpr", help="Compare your jaxpr with the solution's.")
    ] = False,
) -> int:
    """Compare your file with the starter, the solution or an attempt."""
    from jaxtutor.commands import files

    return files.diff(app, lesson, against, jaxpr)


@commands.command(rich_help_panel=LOOK)
@shared_options("json", "plain")
def explain(
    app: App,
    name: Annotated[
        str | None,
        Argument(
            metavar="NAME",
            help="A cause or an error class; - reads a traceback from standard input.",
            completes="page",
        ),
    ] = None,
    choose: Choose = False,
) -> int:
    """Explain a cause, an error class or a traceback."""
    from jaxtutor.commands import explain

    if choose and name is not None:
        raise UsageError("--choose cannot be combined with a name.", "Leave one of them out.")
    if choose:
        from jaxtutor.commands import choosing

        return choosing.explain_page(app)
    return explain.explain(app, name)


@commands.command(rich_help_panel=LOOK)
@shared_options("json", "plain")
def docs(
    app: App,
    name: Annotated[
        str | None,
        Argument(
            metavar="NAME", help="A cause, an error class, a guide or a term.", completes="page"
        ),
    ] = None,
    folder: Annotated[
        Path | None,
        Option("--folder", metavar="DIR", help="A built site, to read without a network."),
    ] = None,
) -> int:
    """Open a page of the site in a browser."""
    from jaxtutor.commands import docs

    return docs.open_docs(app, name, folder)
