"""Declares the commands that create and test lessons, and that add other people's courses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jaxtutor.cli.completion import complete_course, complete_lesson
from jaxtutor.cli.groups import AUTHOR, CommandGroups
from jaxtutor.cli.parameters import Jobs, shared_options

if TYPE_CHECKING:
    from jaxtutor.app import App

lesson_commands = typer.Typer(
    cls=CommandGroups, help="Create and test lessons.", rich_markup_mode=None
)
commands = typer.Typer()
course_commands = typer.Typer(
    cls=CommandGroups, help="Add, list, update and remove courses.", rich_markup_mode=None
)
commands.add_typer(course_commands, name="course", no_args_is_help=True, rich_help_panel=AUTHOR)
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
    project: Annotated[
        bool,
        typer.Option("--project", help="Create a project, such as course/projects/01_my_program."),
    ] = False,
) -> int:
    """Create the files of a new lesson, or of a project."""
    from jaxtutor.commands import authors

    return authors.new_lesson(app, folder, project)


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
    jobs: Jobs = None,
    only: Annotated[
        str,
        typer.Option(
            metavar="GATE", help="Run only the gates with this in their name, as in mistakes/slow."
        ),
    ] = "",
    watch: Annotated[
        bool, typer.Option("--watch", help="Test a lesson again whenever its files change.")
    ] = False,
) -> int:
    """Check that lessons meet every requirement of a course."""
    from jaxtutor.commands import authors

    return authors.test_lessons(app, path, jobs or 0, only, watch)


# ---------------------------------------------------------------- other people's courses

CourseName = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="The name of an added course.", autocompletion=complete_course
    ),
]
Ref = Annotated[
    str,
    typer.Option(
        "--ref", metavar="REF", help="A branch, a tag, or a full commit (default: as published)."
    ),
]


@course_commands.command("add")
@shared_options("json", "plain")
def course_add(
    app: App,
    source: Annotated[
        str,
        typer.Argument(metavar="SOURCE", help="The address of a git repository, or a folder."),
    ],
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="Its name here (default: the last word).")
    ] = "",
    ref: Ref = "",
) -> int:
    """Copy a course at its present commit, to use with --course NAME."""
    from jaxtutor.commands import courses

    return courses.add(app, source, name, ref)


@course_commands.command("list")
@shared_options("json", "plain")
def course_list(app: App) -> int:
    """List the added courses, their commits, and whether files changed."""
    from jaxtutor.commands import courses

    return courses.list_courses(app)


@course_commands.command("update")
@shared_options("json", "plain")
def course_update(
    app: App,
    name: Annotated[
        str,
        typer.Argument(
            metavar="[NAME]",
            help="The name of an added course (default: all).",
            show_default=False,
            autocompletion=complete_course,
        ),
    ] = "",
    ref: Ref = "",
) -> int:
    """Replace a course by the newest commit of its address."""
    from jaxtutor.commands import courses

    return courses.update(app, name, ref)


@course_commands.command("remove")
@shared_options("json", "plain")
def course_remove(app: App, name: CourseName) -> int:
    """Remove a course; your files and your progress are kept."""
    from jaxtutor.commands import courses

    return courses.remove(app, name)
