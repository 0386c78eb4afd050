"""Declares the commands that create and test lessons."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jaxtutor.cli.completion import complete_lesson
from jaxtutor.cli.groups import AUTHOR, CommandGroups
from jaxtutor.cli.parameters import Jobs, shared_options

if TYPE_CHECKING:
    from jaxtutor.app import App

lesson_commands = typer.Typer(
    cls=CommandGroups, help="Create and test lessons.", rich_markup_mode=None
)
commands = typer.Typer()
commands.add_typer(lesson_commands, name="lesson", no_args_is_help=True, rich_help_panel=AUTHOR)


@lesson_commands.command("new")
@shared_options()
def lesson_new(
    app: App,
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", help="The folder to create, such as 01_basics/02_my_lesson."
        ),
    ],
) -> int:
    """Create the files of a new lesson."""
    from jaxtutor.commands import authors

    return authors.new_lesson(app, folder)


@lesson_commands.command("test")
@shared_options("device", "json", "plain", "course")
def lesson_test(
    app: App,
    path: Annotated[
        str | None,
        typer.Argument(
            metavar="[PATH]",
            help="The folder of a course, chapter or lesson, or a lesson's name (default: all).",
            autocompletion=complete_lesson,
        ),
    ] = None,
    jobs: Jobs = 0,
    only: Annotated[
        str,
        typer.Option(
            metavar="GATE", help="Run only the gates with this in their name, as in mistakes/slow."
        ),
    ] = "",
) -> int:
    """Check that lessons meet every requirement of a course."""
    from jaxtutor.commands import authors

    return authors.test_lessons(app, path, jobs, only)
