"""Owns the command line: parse, call one function, return its exit status."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jaxtutor import __version__
from jaxtutor.errors import TutorError
from jaxtutor.options import Options

if TYPE_CHECKING:
    from jaxtutor.app import App
    from jaxtutor.spawn import Process

main = typer.Typer(
    name="jaxtutor",
    help="Learn JAX in your own editor: every save is traced, run, and explained.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
lesson_commands = typer.Typer(
    help="For authors: make a lesson, test lessons.", rich_markup_mode=None
)
main.add_typer(lesson_commands, name="lesson", no_args_is_help=True)

LessonArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="[LESSON]", help="A lesson's name, number, or part of its name.", show_default=False
    ),
]
Device = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Run on this device: cpu, gpu, tpu, cuda:1, …"),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Plain = Annotated[
    bool, typer.Option("--plain", help="No colour and no drawing, for screen readers and logs.")
]
CourseDir = Annotated[
    Path | None, typer.Option("--course", metavar="DIR", help="Use the course in this folder.")
]
WorkspaceDir = Annotated[
    Path | None,
    typer.Option("--workspace", metavar="DIR", help="Keep your files in this folder."),
]


Target = Annotated[
    str | None,
    typer.Argument(
        metavar="[LESSON or FILE]", help="A lesson, or a file named like one.", show_default=False
    ),
]


def run(arguments: list[str], early: Process | None = None) -> int:
    """Run one command line and return its exit status."""
    try:
        main(arguments, prog_name="jaxtutor", obj=early)
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else 1
    return 0


def _do(context: typer.Context, options: Options, command: Callable[[App], int]) -> None:
    """Carry out a command; the only place that turns errors into words and exit statuses."""
    from jaxtutor.app import App

    app = App(options, early=context.obj)
    context.obj = None
    try:
        status = command(app)
    except TutorError as error:
        status = error.status
        _tell(app, error.message, error.remedy, status)
    except (KeyboardInterrupt, BrokenPipeError, typer.Exit):
        raise
    except Exception as error:  # a fault of ours must not look like the learner's
        if os.environ.get("JAXTUTOR_DEBUG"):
            raise
        status = TutorError.status
        fault = f"This is a fault of jaxtutor's own: {type(error).__name__}: {error}"
        _tell(app, fault, "Nothing of yours is lost. Set JAXTUTOR_DEBUG=1 to see more.", status)
    finally:
        app.close()
    raise typer.Exit(status)


def _tell(app: App, message: str, remedy: str, status: int) -> None:
    if app.options.json:
        from jaxtutor.core.reports import error_report

        app.print_json(error_report(message, remedy, status))
    else:
        app.warn(message, remedy and f"\n  {remedy}")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"jaxtutor {__version__}")
        raise typer.Exit


@main.callback()
def top(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Say which version this is."
        ),
    ] = False,
) -> None:
    """Learn JAX in your own editor: every save is traced, run, and explained."""


# ---------------------------------------------------------------- learning


@main.command()
def start(
    context: typer.Context,
    lesson: LessonArgument = None,
    device: Device = None,
    plain: Plain = False,
    course: CourseDir = None,
    workspace: WorkspaceDir = None,
    layout: Annotated[
        str,
        typer.Option(
            metavar="WHERE", help="Where the verdict stands: rows, panes, plain, or auto."
        ),
    ] = "auto",
) -> None:
    """Open a lesson in your editor and check it on every save."""

    def begin(app: App) -> int:
        from jaxtutor.ui.front import start

        return start(app, lesson, layout)

    _do(context, Options(device, False, plain, course, workspace), begin)


@main.command()
def check(
    context: typer.Context,
    target: Target = None,
    lesson: Annotated[
        str | None, typer.Option("--lesson", help="Which lesson FILE is for.")
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Check again on every save.")] = False,
    device: Device = None,
    json: Json = False,
    plain: Plain = False,
    course: CourseDir = None,
    workspace: WorkspaceDir = None,
) -> None:
    """Check a lesson's file once, or on every save."""
    from jaxtutor import commands

    options = Options(device, json, plain, course, workspace)
    command = commands.watch if watch else commands.check
    _do(context, options, lambda app: command(app, target, lesson))


@main.command()
def hint(
    context: typer.Context,
    lesson: LessonArgument = None,
    every: Annotated[bool, typer.Option("--all", help="Show every hint.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Show the last one again.")] = False,
    json: Json = False,
    plain: Plain = False,
    course: CourseDir = None,
    workspace: WorkspaceDir = None,
) -> None:
    """Show the next hint."""
    from jaxtutor import commands

    options = Options(None, json, plain, course, workspace)
    _do(context, options, lambda app: commands.hint(app, lesson, every, again))


@main.command()
def show(
    context: typer.Context,
    lesson: LessonArgument = None,
    json: Json = False,
    plain: Plain = False,
    course: CourseDir = None,
    workspace: WorkspaceDir = None,
) -> None:
    """Show a lesson's text."""
    from jaxtutor import commands

    options = Options(None, json, plain, course, workspace)
    _do(context, options, lambda app: commands.show(app, lesson))


@main.command("list")
def list_(
    context: typer.Context,
    json: Json = False,
    plain: Plain = False,
    course: CourseDir = None,
    workspace: WorkspaceDir = None,
) -> None:
    """List the course, with your progress."""
    from jaxtutor import commands

    _do(context, Options(None, json, plain, course, workspace), commands.list_lessons)


@main.command("next")
def next_(
    context: typer.Context,
    json: Json = False,
    plain: Plain = False,
    course: CourseDir = None,
    workspace: WorkspaceDir = None,
) -> None:
    """Go on to the next lesson."""
    from jaxtutor import commands

    options = Options(None, json, plain, course, workspace)
    _do(context, options, lambda app: commands.move(app, 1))


@main.command()
def prev(
    context: typer.Context,
    json: Json = False,
    plain: Plain = False,
    course: CourseDir = None,
    workspace: WorkspaceDir = None,
) -> None:
    """Go back to the lesson before."""
    from jaxtutor import commands

    options = Options(None, json, plain, course, workspace)
    _do(context, options, lambda app: commands.move(app, -1))


@main.command()
def reset(
    context: typer.Context,
    lesson: LessonArgument = None,
    json: Json = False,
    plain: Plain = False,
    course: CourseDir = None,
    workspace: WorkspaceDir = None,
) -> None:
    """Put the starter back; your text is kept."""
    from jaxtutor import commands

    options = Options(None, json, plain, course, workspace)
    _do(context, options, lambda app: commands.reset(app, lesson))


@main.command()
def solution(
    context: typer.Context,
    lesson: LessonArgument = None,
    json: Json = False,
    plain: Plain = False,
    course: CourseDir = None,
    workspace: WorkspaceDir = None,
) -> None:
    """Show our solution."""
    from jaxtutor import commands

    options = Options(None, json, plain, course, workspace)
    _do(context, options, lambda app: commands.solution(app, lesson))


@main.command()
def history(
    context: typer.Context,
    lesson: LessonArgument = None,
    json: Json = False,
    plain: Plain = False,
    course: CourseDir = None,
    workspace: WorkspaceDir = None,
) -> None:
    """List every attempt at a lesson."""
    from jaxtutor import commands

    options = Options(None, json, plain, course, workspace)
    _do(context, options, lambda app: commands.history(app, lesson))


@main.command()
def diff(
    context: typer.Context,
    lesson: LessonArgument = None,
    against: Annotated[
        str,
        typer.Option(
            "--against", metavar="WHAT", help="starter, solution, or an attempt's number."
        ),
    ] = "starter",
    jaxpr: Annotated[
        bool, typer.Option("--jaxpr", help="Compare jaxprs, yours with the solution's.")
    ] = False,
    device: Device = None,
    json: Json = False,
    plain: Plain = False,
    course: CourseDir = None,
    workspace: WorkspaceDir = None,
) -> None:
    """Show how your file differs from the starter, the solution, or an attempt."""
    from jaxtutor import commands

    options = Options(device, json, plain, course, workspace)
    _do(context, options, lambda app: commands.diff(app, lesson, against, jaxpr))


@main.command()
def restore(
    context: typer.Context,
    number: Annotated[str, typer.Argument(help="An attempt's number, from `history`.")],
    lesson: LessonArgument = None,
    json: Json = False,
    plain: Plain = False,
    course: CourseDir = None,
    workspace: WorkspaceDir = None,
) -> None:
    """Bring an earlier attempt back; your text is kept."""
    from jaxtutor import commands

    options = Options(None, json, plain, course, workspace)
    _do(context, options, lambda app: commands.restore(app, lesson, number))


@main.command()
def devices(
    context: typer.Context, device: Device = None, json: Json = False, plain: Plain = False
) -> None:
    """List what JAX can run on here."""
    from jaxtutor import commands

    _do(context, Options(device, json, plain), commands.devices)


@main.command(context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True})
def diagnose(
    context: typer.Context,
    script: Annotated[Path, typer.Argument(help="Your script.", show_default=False)],
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="[ARGS]...", help="What it is run with.")
    ] = None,
    timeout: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="End it after so many seconds.")
    ] = None,
    apply: Annotated[
        bool, typer.Option("--apply", help="Write the fix into the script; a copy is kept.")
    ] = False,
    device: Device = None,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Run your own script, and name what it raises or silently does wrong."""

    def run_it(app: App) -> int:
        from jaxtutor import diagnosing

        return diagnosing.diagnose(app, script, tuple(arguments or ()), timeout, apply)

    _do(context, Options(device, json, plain), run_it)


@main.command()
def explain(
    context: typer.Context,
    name: Annotated[
        str | None, typer.Argument(help="A cause or an error class.", show_default=False)
    ] = None,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Explain a cause or an error class; without a name, list them."""

    def tell(app: App) -> int:
        from jaxtutor import diagnosing

        return diagnosing.explain(app, name)

    _do(context, Options(None, json, plain), tell)


# ---------------------------------------------------------------- for authors


@lesson_commands.command("new")
def lesson_new(
    context: typer.Context,
    folder: Annotated[
        Path, typer.Argument(help="The folder to make, such as 01_basics/02_my_lesson.")
    ],
) -> None:
    """Make the files of a new lesson."""
    from jaxtutor import commands

    _do(context, Options(), lambda app: commands.new_lesson(app, folder))


@lesson_commands.command("test")
def lesson_test(
    context: typer.Context,
    path: Annotated[
        str | None,
        typer.Argument(help="A course's, chapter's or lesson's folder, or a lesson's name."),
    ] = None,
    device: Device = None,
    json: Json = False,
    plain: Plain = False,
    course: CourseDir = None,
) -> None:
    """Run the gates that a lesson must pass."""
    from jaxtutor import commands

    options = Options(device, json, plain, course)
    _do(context, options, lambda app: commands.test_lessons(app, path))
