"""Declares the commands that create and test lessons, and that add other people's courses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from jaxtutor.cli.declarations import AUTHOR, Argument, Commands, Option, shared_options
from jaxtutor.cli.parameters import Jobs
from jaxtutor.errors import UsageError

if TYPE_CHECKING:
    from jaxtutor.app import App

lesson_commands = Commands(help="Create and test lessons.")
commands = Commands()
course_commands = Commands(help="Add, list, update and remove courses.")
commands.add_group(course_commands, name="course", no_args_is_help=True, rich_help_panel=AUTHOR)
commands.add_group(lesson_commands, name="lesson", no_args_is_help=True, rich_help_panel=AUTHOR)


@lesson_commands.command("new")
@shared_options()
def lesson_new(
    app: App,
    folder: Annotated[
        Path,
        Argument(metavar="FOLDER", help="The folder to create, such as 01_basics/02_my_lesson."),
    ],
    project: Annotated[
        bool,
        Option("--project", help="Create a project, such as course/projects/01_my_program."),
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
        Argument(
            metavar="PATH",
            help="The folder of a course, chapter or lesson, or a lesson's name (default: all).",
            completes="lesson",
        ),
    ] = None,
    jobs: Jobs = None,
    only: Annotated[
        str,
        Option(
            metavar="GATE", help="Run only the gates with this in their name, as in mistakes/slow."
        ),
    ] = "",
    watch: Annotated[
        bool, Option("--watch", help="Test a lesson again whenever its files change.")
    ] = False,
    shard: Annotated[
        str, Option(metavar="K/N", help="Test the K-th of N shards, which take about equal time.")
    ] = "",
    resume: Annotated[
        bool, Option("--resume", help="Skip the lessons that passed with the same files before.")
    ] = False,
    mutants: Annotated[
        bool,
        Option(
            "--mutants",
            help="Test the checks instead: list the small changes to a solution that pass them.",
        ),
    ] = False,
) -> int:
    """Check that lessons meet every requirement of a course."""
    from jaxtutor.commands import authors

    part = authors.read_part(shard)
    if mutants:
        if only or watch or resume:
            raise UsageError("--mutants runs no gates.", "Leave out --only, --watch and --resume.")
        return authors.try_mutants(app, path, jobs or 0, part)
    if watch and (part or resume):
        raise UsageError("--watch tests all lessons.", "Leave out --shard and --resume.")
    if only and resume:
        raise UsageError("--resume skips whole lessons.", "Leave out --only or --resume.")
    return authors.test_lessons(app, path, jobs or 0, only, watch, part, resume)


# ---------------------------------------------------------------- other people's courses

CourseName = Annotated[
    str,
    Argument(metavar="NAME", help="The name of an added course.", completes="course"),
]
Ref = Annotated[
    str,
    Option(
        "--ref", metavar="REF", help="A branch, a tag, or a full commit (default: as published)."
    ),
]


@course_commands.command("add")
@shared_options("json", "plain")
def course_add(
    app: App,
    source: Annotated[
        str,
        Argument(metavar="SOURCE", help="The address of a git repository, or a folder."),
    ],
    name: Annotated[
        str, Option("--name", metavar="NAME", help="Its name here (default: the last word).")
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
        Argument(
            metavar="NAME",
            help="The name of an added course (default: all).",
            show_default=False,
            completes="course",
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
