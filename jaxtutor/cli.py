"""Owns the command line: parse, call one function, return its exit status."""

from __future__ import annotations

import errno
import inspect
import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from jaxtutor import __version__
from jaxtutor.completion import complete_device, complete_lesson, complete_page, complete_words
from jaxtutor.errors import OutputError, TutorError, UsageError, fault
from jaxtutor.options import Options

if TYPE_CHECKING:
    from jaxtutor.app import App
    from jaxtutor.processes.spawn import Process

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
        metavar="[LESSON]",
        help="A lesson's name, number, or part of its name.",
        show_default=False,
        autocompletion=complete_lesson,
    ),
]
Target = Annotated[
    str | None,
    typer.Argument(
        metavar="[LESSON or FILE]",
        help="A lesson, or a file named like one.",
        show_default=False,
        autocompletion=complete_lesson,
    ),
]

Jobs = Annotated[
    int,
    typer.Option(
        "--jobs", metavar="N", min=0, help="How many at a time; one a processor if not given."
    ),
]
Junit = Annotated[
    Path | None,
    typer.Option("--junit", metavar="FILE", help="Write what came of it as JUnit XML, too."),
]

# The options that mean the same everywhere: their types, and what they are when not given.
SHARED: dict[str, tuple[Any, Any]] = {
    "device": (
        Annotated[
            str | None,
            typer.Option(
                metavar="NAME",
                help="Run on this device, such as cpu, gpu, tpu or cuda:1.",
                autocompletion=complete_device,
            ),
        ],
        None,
    ),
    "json": (Annotated[bool, typer.Option("--json", help="Print one JSON object.")], False),
    "plain": (
        Annotated[
            bool,
            typer.Option("--plain", help="No colour and no drawing, for screen readers and logs."),
        ],
        False,
    ),
    "course": (
        Annotated[
            Path | None,
            typer.Option("--course", metavar="DIR", help="Use the course in this folder."),
        ],
        None,
    ),
    "workspace": (
        Annotated[
            Path | None,
            typer.Option("--workspace", metavar="DIR", help="Keep your files in this folder."),
        ],
        None,
    ),
}
ALL = tuple(SHARED)
_SIZE = re.compile(r"[1-9][0-9]{0,3}")


def run(arguments: list[str], early: Process | None = None) -> int:
    """Run one command line and return its exit status."""
    _forget_odd_sizes()
    try:
        main(arguments, prog_name="jaxtutor", obj=early, terminal_width=_help_width())
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else 1
    except OutputError as error:  # the help, or the version
        sys.stderr.write(f"jaxtutor: {error.message}\n")
        return error.status
    return 0


def _forget_odd_sizes() -> None:
    """Take no size from the environment that no screen has: whoever draws would fail on it."""
    for name in ("COLUMNS", "LINES"):
        if not _SIZE.fullmatch(os.environ.get(name, "80")):
            del os.environ[name]


def _help_width() -> int | None:
    """Narrow the help to a narrow terminal; typer itself stops at 50 columns."""
    columns = shutil.get_terminal_size().columns
    return max(columns - 1, 30) if columns <= 52 else None


def sharing(*names: str) -> Callable[[Callable[..., int]], Callable[..., None]]:
    """Give a command these shared options; it gets the surroundings, and returns an exit status."""

    def wrap(command: Callable[..., int]) -> Callable[..., None]:
        def carry_out(context: typer.Context, **given: Any) -> None:
            options = Options(**{name: given.pop(name) for name in names})
            _do(context, options, lambda app: command(app, **given))

        _, *own = inspect.signature(command).parameters.values()
        types = get_type_hints(command, localns={"App": object}, include_extras=True)
        keyword = inspect.Parameter.KEYWORD_ONLY
        parameters = [
            inspect.Parameter("context", keyword, annotation=typer.Context),
            *(one.replace(kind=keyword, annotation=types[one.name]) for one in own),
            *(
                inspect.Parameter(name, keyword, default=default, annotation=kind)
                for name, (kind, default) in SHARED.items()
                if name in names
            ),
        ]
        # typer reads the parameters of a command off its signature and its annotations.
        carry_out.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        carry_out.__annotations__ = {one.name: one.annotation for one in parameters}
        carry_out.__name__, carry_out.__doc__ = command.__name__, command.__doc__
        return carry_out

    return wrap


def _do(context: typer.Context, options: Options, command: Callable[[App], int]) -> None:
    """Carry out a command; the only place that turns errors into words and exit statuses."""
    from jaxtutor.app import App

    app = App(options, early=context.obj)
    context.obj = None
    try:
        status = command(app)
        app.stdout.flush()
    except OutputError as error:
        status = error.status
        app.warn(error.message, error.remedy)
    except TutorError as error:
        status = error.status
        _tell(app, error.message, error.remedy, status)
    except (KeyboardInterrupt, BrokenPipeError, typer.Exit):
        raise
    except Exception as error:  # a fault of ours must not look like the learner's
        from jaxtutor.system.shadowing import find_shadowed

        if os.environ.get("JAXTUTOR_DEBUG") or find_shadowed():
            raise
        told = _find_plain(error) or fault(error)
        status = told.status
        _tell(app, told.message, told.remedy, status)
    finally:
        app.close()
    raise typer.Exit(status)


def _find_plain(error: Exception) -> TutorError | None:
    """Tell from a fault of ours what any use of a path can meet: its name, or where we are."""
    if not isinstance(error, OSError):
        return None
    if error.errno == errno.ENAMETOOLONG:
        return UsageError("A path is longer than this system allows.", "Name a shorter one.")
    try:
        Path.cwd()
    except FileNotFoundError:
        return TutorError("The folder that you are in is gone.", "Go to another one first: cd")
    return None


def _tell(app: App, message: str, remedy: str, status: int) -> None:
    if app.options.json:
        from jaxtutor.core.reporting.reports import error_report

        app.print_json(error_report(message, remedy, status))
    else:
        app.warn(message, remedy and f"\n  {remedy}")


def _show_version(wanted: bool) -> None:
    if wanted:
        from platform import python_version

        from jaxtutor.checking.lesson_check import jax_version

        jax = jax_version()
        with_jax = f"jax {jax}" if jax else "without jax"
        typer.echo(f"jaxtutor {__version__} ({with_jax}, Python {python_version()})")
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
@sharing("device", "plain", "course", "workspace")
def start(
    app: App,
    lesson: LessonArgument = None,
    layout: Annotated[
        str,
        typer.Option(
            metavar="WHERE",
            help="Where the verdict stands: rows, panes, plain, or auto.",
            autocompletion=complete_words("rows", "panes", "plain", "auto"),
        ),
    ] = "auto",
) -> int:
    """Open a lesson in your editor and check it on every save."""
    from jaxtutor.session.terminal_process import start

    return start(app, lesson, layout)


@main.command()
@sharing(*ALL)
def check(
    app: App,
    target: Target = None,
    lesson: Annotated[
        str | None,
        typer.Option("--lesson", help="Which lesson FILE is for.", autocompletion=complete_lesson),
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Check again on every save.")] = False,
    no_keep: Annotated[
        bool, typer.Option("--no-keep", help="Leave no process ready for the next check.")
    ] = False,
    junit: Junit = None,
) -> int:
    """Check a lesson's file once, or on every save."""
    from jaxtutor.commands import verdicts

    if not watch:
        return verdicts.check(app, target, lesson, junit, keeps=not no_keep)
    if junit:
        raise UsageError("--junit is for one check, not for --watch.", "Leave one of them out.")
    return verdicts.watch(app, target, lesson)


@main.command()
@sharing("json", "plain", "course", "workspace", "device")
def hint(
    app: App,
    lesson: LessonArgument = None,
    every: Annotated[bool, typer.Option("--all", help="Show every hint.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Show the last one again.")] = False,
) -> int:
    """Show the next hint; past the last, a fix for your own file."""
    from jaxtutor.commands import hints

    return hints.hint(app, lesson, every, again)


@main.command()
@sharing(*ALL)
def predict(
    app: App,
    lesson: LessonArgument = None,
    answer: Annotated[
        str | None, typer.Option("--answer", metavar="TEXT", help="Your answer to one question.")
    ] = None,
    question: Annotated[
        int, typer.Option("--question", metavar="N", help="Which question, the first if not given.")
    ] = 1,
) -> int:
    """Foretell what a program does, and have it run."""
    from jaxtutor.commands import predictions

    return predictions.predict(app, lesson, question, answer)


@main.command()
@sharing("json", "plain", "course", "workspace")
def show(app: App, lesson: LessonArgument = None) -> int:
    """Show a lesson's text."""
    from jaxtutor.commands import pages

    return pages.show(app, lesson)


@main.command("list")
@sharing("json", "plain", "course", "workspace")
def list_(
    app: App,
    chapter: Annotated[
        str | None,
        typer.Argument(
            metavar="[CHAPTER]", help="Open this chapter, by its number or part of its name."
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Open every chapter.")] = False,
) -> int:
    """List the course, with your progress."""
    from jaxtutor.commands import pages

    return pages.list_lessons(app, chapter, every)


@main.command()
@sharing("json", "plain", "course", "workspace")
def stats(app: App) -> int:
    """Show what you did: progress, attempts until a pass, a year's activity."""
    from jaxtutor.commands import stats

    return stats.stats(app)


@main.command("next")
@sharing("json", "plain", "course", "workspace")
def next_(app: App) -> int:
    """Go on to the next lesson."""
    from jaxtutor.commands import pages

    return pages.move(app, 1)


@main.command()
@sharing("json", "plain", "course", "workspace")
def prev(app: App) -> int:
    """Go back to the lesson before."""
    from jaxtutor.commands import pages

    return pages.move(app, -1)


@main.command()
@sharing("json", "plain", "course", "workspace")
def reset(app: App, lesson: LessonArgument = None) -> int:
    """Put the starter back; your text is kept."""
    from jaxtutor.commands import files

    return files.reset(app, lesson)


@main.command()
@sharing("json", "plain", "course", "workspace")
def solution(app: App, lesson: LessonArgument = None) -> int:
    """Show our solution."""
    from jaxtutor.commands import pages

    return pages.solution(app, lesson)


@main.command()
@sharing("json", "plain", "course", "workspace")
def history(app: App, lesson: LessonArgument = None) -> int:
    """List every attempt at a lesson."""
    from jaxtutor.commands import files

    return files.history(app, lesson)


@main.command()
@sharing(*ALL)
def diff(
    app: App,
    lesson: LessonArgument = None,
    against: Annotated[
        str,
        typer.Option(
            "--against",
            metavar="WHAT",
            help="starter, solution, or an attempt's number.",
            autocompletion=complete_words("starter", "solution"),
        ),
    ] = "starter",
    jaxpr: Annotated[
        bool, typer.Option("--jaxpr", help="Compare jaxprs, yours with the solution's.")
    ] = False,
) -> int:
    """Show how your file differs from the starter, the solution, or an attempt."""
    from jaxtutor.commands import files

    return files.diff(app, lesson, against, jaxpr)


@main.command()
@sharing("json", "plain", "course", "workspace")
def restore(
    app: App,
    number: Annotated[
        str, typer.Argument(metavar="NUMBER", help="An attempt's number, from `history`.")
    ],
    lesson: LessonArgument = None,
) -> int:
    """Bring an earlier attempt back; your text is kept."""
    from jaxtutor.commands import files

    return files.restore(app, lesson, number)


@main.command()
@sharing("json", "plain", "course", "workspace")
def review(
    app: App,
    lesson: LessonArgument = None,
    give_up: Annotated[
        bool, typer.Option("--give-up", help="End the review; your earlier text comes back.")
    ] = False,
) -> int:
    """Show which lessons are due again, or begin the review of one."""
    from jaxtutor.commands import reviews

    return reviews.review(app, lesson, give_up)


@main.command()
@sharing("device", "json", "plain")
def devices(app: App) -> int:
    """List what JAX can run on here."""
    from jaxtutor.commands import machine

    return machine.devices(app)


@main.command()
@sharing(*ALL)
def doctor(app: App) -> int:
    """Say what is wrong with this installation, and what to do."""
    from jaxtutor.commands import machine

    return machine.doctor(app)


# ---------------------------------------------------------------- the learner's own programs


@main.command(context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True})
@sharing("device", "json", "plain")
def diagnose(
    app: App,
    script: Annotated[Path, typer.Argument(metavar="SCRIPT", help="Your script.")],
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="[ARGS]...", help="What it is run with.")
    ] = None,
    timeout: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="End it after so many seconds.")
    ] = None,
    apply: Annotated[
        bool, typer.Option("--apply", help="Write the fix into the script; a copy is kept.")
    ] = False,
) -> int:
    """Run your own script, and name what it raises or silently does wrong."""
    from jaxtutor.commands import diagnose

    return diagnose.diagnose(app, script, tuple(arguments or ()), timeout, apply)


@main.command()
@sharing("device", "plain", "course", "workspace")
def repl(
    app: App,
    lesson: LessonArgument = None,
    keys: Annotated[
        str | None, typer.Option(metavar="KIND", help="How keys edit: emacs or vi.")
    ] = None,
) -> int:
    """Try things at a JAX prompt, with the tutor's eyes."""
    from jaxtutor.repl.command import repl

    return repl(app, lesson, keys)


@main.command()
@sharing("json", "plain")
def explain(
    app: App,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]", help="A cause or an error class.", autocompletion=complete_page
        ),
    ] = None,
) -> int:
    """Explain a cause or an error class; without a name, list them."""
    from jaxtutor.commands import diagnose

    return diagnose.explain(app, name)


# ---------------------------------------------------------------- for instructors


@main.command()
@sharing("device", "json", "plain", "course")
def grade(
    app: App,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The learners' files.")],
    lesson: Annotated[
        str | None,
        typer.Option(
            "--lesson",
            metavar="LESSON",
            help="Grade this lesson only.",
            autocompletion=complete_lesson,
        ),
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write a line a file as CSV.")
    ] = None,
    junit: Junit = None,
    jobs: Jobs = 0,
    confine: Annotated[
        str,
        typer.Option(
            "--confine",
            metavar="WHEN",
            help="Confine submissions with bubblewrap: always (or run none), or never.",
            autocompletion=complete_words("always", "never"),
        ),
    ] = "always",
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler", metavar="ADDRESS", help="Grade on the Dask cluster of this scheduler."
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, help="Use other hidden cases.")
    ] = 0,
) -> int:
    """Grade a folder of learners' files."""
    from jaxtutor.commands import grade as grades

    wish = grades.GradeOptions(lesson, csv, junit, jobs, confine, scheduler, seed)
    return grades.grade(app, folder, wish)


# ---------------------------------------------------------------- for authors


@lesson_commands.command("new")
@sharing()
def lesson_new(
    app: App,
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", help="The folder to make, such as 01_basics/02_my_lesson."
        ),
    ],
) -> int:
    """Make the files of a new lesson."""
    from jaxtutor.commands import authors

    return authors.new_lesson(app, folder)


@lesson_commands.command("test")
@sharing("device", "json", "plain", "course")
def lesson_test(
    app: App,
    path: Annotated[
        str | None,
        typer.Argument(
            metavar="[PATH]", help="A course's, chapter's or lesson's folder, or a lesson's name."
        ),
    ] = None,
    jobs: Jobs = 0,
) -> int:
    """Run the gates that a lesson must pass."""
    from jaxtutor.commands import authors

    return authors.test_lessons(app, path, jobs)
