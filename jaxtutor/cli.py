"""Defines the commands and their options; each parses, calls one function, returns a status."""

from __future__ import annotations

import errno
import inspect
import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast, get_type_hints

import typer

from jaxtutor import __version__
from jaxtutor.completion import (
    complete_against,
    complete_attempt,
    complete_chapter,
    complete_device,
    complete_lesson,
    complete_page,
    complete_question,
    complete_setting,
    complete_value,
    complete_words,
)
from jaxtutor.core.data.settings import KEYS, LAYOUTS
from jaxtutor.errors import OutputError, TutorError, UsageError, fault
from jaxtutor.options import Options

if TYPE_CHECKING:
    from jaxtutor.app import App
    from jaxtutor.processes.spawn import Process

EPILOG = """
Exit status: 0 passed or done; 1 not passed, or a mistake was found; 2 wrong usage; 3 the
environment or a lesson is broken; 130 interrupted.

Variables: JAXTUTOR_HOME, one folder for all files; VISUAL or EDITOR; PAGER; NO_COLOR. Every setting
has one: jaxtutor config.

Help: jaxtutor COMMAND --help, and the manual pages: man jaxtutor.
"""
"""click rewraps each paragraph."""


GROUPS = ("Learn", "Look", "Your own programs", "Teach", "Author", "System")
LEARN, LOOK, OWN, TEACH, AUTHOR, SYSTEM = GROUPS


class CommandGroups(typer.core.TyperGroup):
    """Lists the commands of the help in groups; a summary that is too long is wrapped, not cut."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write one section for each group."""
        groups: dict[str, list[tuple[str, str]]] = {title: [] for title in GROUPS}
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                title = getattr(command, "rich_help_panel", None)
                title = title if isinstance(title, str) else "Commands"
                summary = (command.help or "").partition("\n\n")[0].replace("\n", " ")
                groups.setdefault(title, []).append((name, summary))
        width = max(len(name) for rows in groups.values() for name, _ in rows)
        for title, rows in filter(lambda group: group[1], groups.items()):
            with formatter.section(title):
                formatter.write_dl([(f"{name:<{width}}", summary) for name, summary in rows])


main = typer.Typer(
    name="jaxtutor",
    cls=CommandGroups,
    epilog=EPILOG,
    help="Learn JAX in your own editor: every save is traced, run and explained.",
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
lesson_commands = typer.Typer(
    cls=CommandGroups, help="Create and test lessons.", rich_markup_mode=None
)
main.add_typer(lesson_commands, name="lesson", no_args_is_help=True, rich_help_panel=AUTHOR)
config_commands = typer.Typer(
    cls=CommandGroups,
    help="List, read and change the settings.",
    rich_markup_mode=None,
    invoke_without_command=True,
)
main.add_typer(config_commands, name="config", rich_help_panel=SYSTEM)

LessonArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="[LESSON]",
        help="A lesson's name, number, or any unambiguous part of its name.",
        show_default=False,
        autocompletion=complete_lesson,
    ),
]
Target = Annotated[
    str | None,
    typer.Argument(
        metavar="[LESSON or FILE]",
        help="A lesson, or a file with the name of a lesson's file.",
        show_default=False,
        autocompletion=complete_lesson,
    ),
]

Jobs = Annotated[
    int,
    typer.Option(
        "--jobs",
        metavar="N",
        min=0,
        help="Number of parallel jobs.",
        show_default="one for each CPU",
    ),
]
Choose = Annotated[bool, typer.Option("--choose", help="Choose from the list in the terminal.")]
Junit = Annotated[
    Path | None,
    typer.Option("--junit", metavar="FILE", help="Also write the results as JUnit XML."),
]

FORMATS = ("short", "github", "sarif")


def _known_format(name: str) -> str:
    if name and name not in FORMATS:
        raise typer.BadParameter(f"{name!r} is not one of {', '.join(FORMATS)}")
    return name


# The shared options: type and default of each.
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
    "format": (
        Annotated[
            str,
            typer.Option(
                metavar="NAME",
                help="Print problems for another tool: short, github or sarif.",
                autocompletion=complete_words(*FORMATS),
                callback=_known_format,
            ),
        ],
        "",
    ),
    "plain": (
        Annotated[
            bool,
            typer.Option("--plain", help="No colour, no drawing: for screen readers and logs."),
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
ALL = tuple(name for name in SHARED if name != "format")
WORKING_WITHOUT_SETTINGS = {"config", "doctor"}
"""Commands that work, and say what is wrong, if the settings file is broken."""
CLICK_ERROR = cast(type[Exception], typer.BadParameter.__mro__[2])
"""click's ClickException; typer exports only its subclasses, and has a click of its own."""
_SIZE = re.compile(r"[1-9][0-9]{0,3}")


def run(arguments: list[str], early: Process | None = None) -> int:
    """Run one command line and return its exit status."""
    _ignore_invalid_sizes()
    if arguments[:1] in (["--install-completion"], ["--show-completion"]) and len(arguments) > 1:
        sys.stderr.write(
            f"jaxtutor: {arguments[0]} takes no name of a shell.\n"
            "  Run it in the shell that is to have the completion.\n"
        )
        return UsageError.status
    as_json = "--json" in arguments
    try:
        status = main(
            end_options_at_program(arguments),
            prog_name="jaxtutor",
            obj=early,
            terminal_width=_help_width(),
            standalone_mode=not as_json,  # click would print a usage error as text
        )
        return status if isinstance(status, int) else 0
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else 1
    except CLICK_ERROR as error:
        return _report_usage(error)
    except OutputError as error:  # the help, or the version
        sys.stderr.write(f"jaxtutor: {error.message}\n")
        return error.status


def _report_usage(error: Any) -> int:
    """Print click's error about the command line as JSON; return its exit status."""
    import json

    from jaxtutor.core.reporting.reports import error_report

    path = error.ctx.command_path if getattr(error, "ctx", None) else "jaxtutor"
    report = error_report(error.format_message(), f"See: {path} --help", UsageError.status)
    sys.stdout.write(json.dumps(report) + "\n")
    return UsageError.status


def end_options_at_program(arguments: list[str]) -> list[str]:
    """Put `--` after `diagnose -m NAME` or `-c CODE`: what follows is for the program."""
    if arguments[:1] != ["diagnose"]:
        return arguments
    index = 1
    while index < len(arguments) and arguments[index].startswith("-") and arguments[index] != "--":
        if arguments[index] in ("-m", "-c"):
            return [*arguments[: index + 2], "--", *arguments[index + 2 :]]
        index += 2 if arguments[index] in ("--device", "--timeout") else 1
    return arguments


def _ignore_invalid_sizes() -> None:
    """Remove sizes from the environment that no screen has; rich and shutil would fail on them."""
    for name in ("COLUMNS", "LINES"):
        if not _SIZE.fullmatch(os.environ.get(name, "80")):
            del os.environ[name]


def _help_width() -> int | None:
    """Return the help's width on a narrow terminal; typer itself does not go below 50 columns."""
    columns = shutil.get_terminal_size().columns
    return max(columns - 1, 30) if columns <= 52 else None


def shared_options(*names: str) -> Callable[[Callable[..., int]], Callable[..., None]]:
    """Add the named shared options to a command.

    typer reads a command's parameters from its signature. A command declares only its own, and
    takes an `App` first; typer sees a `Context` in its place, followed by the shared options.
    """

    def wrap(command: Callable[..., int]) -> Callable[..., None]:
        def run_command(context: typer.Context, **arguments: Any) -> None:
            if context.invoked_subcommand is not None:  # a group, which does nothing itself
                return
            options = Options(**{name: arguments.pop(name) for name in names})
            _call(context, options, lambda app: command(app, **arguments))

        parameters = _parameters(command, names)
        run_command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run_command.__annotations__ = {each.name: each.annotation for each in parameters}
        run_command.__name__, run_command.__doc__ = command.__name__, command.__doc__
        return run_command

    return wrap


def _parameters(command: Callable[..., int], shared: tuple[str, ...]) -> list[inspect.Parameter]:
    """List what typer is to parse: the context, the command's own parameters, the shared ones."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    _app, *own = inspect.signature(command).parameters.values()
    # `App` is imported for type checking only, so its name is resolved here.
    types = get_type_hints(command, localns={"App": object}, include_extras=True)
    return [
        inspect.Parameter("context", keyword, annotation=typer.Context),
        *(each.replace(kind=keyword, annotation=types[each.name]) for each in own),
        *(
            inspect.Parameter(name, keyword, default=default, annotation=kind)
            for name, (kind, default) in SHARED.items()
            if name in shared
        ),
    ]


def _call(context: typer.Context, options: Options, command: Callable[[App], int]) -> None:
    """Run a command. This is the only place that turns errors into messages and exit statuses."""
    from jaxtutor.app import App

    app = App(options, early=context.obj)
    context.obj = None
    try:
        if not WORKING_WITHOUT_SETTINGS & set(context.command_path.split(" ")):
            app.settings.require_sound()
        status = command(app)
        app.stdout.flush()
    except OutputError as error:
        status = error.status
        app.warn(error.message, error.remedy)
    except TutorError as error:
        status = error.status
        _report(app, error.message, error.remedy, status)
    except (KeyboardInterrupt, BrokenPipeError, typer.Exit):
        raise
    except Exception as error:  # a bug of ours must not look like the learner's
        from jaxtutor.system.shadowing import find_shadowed

        if os.environ.get("JAXTUTOR_DEBUG") or find_shadowed():
            raise
        expected = _explain_os_error(error) or fault(error)
        status = expected.status
        _report(app, expected.message, expected.remedy, status)
    finally:
        app.close()
    raise typer.Exit(status)


def _explain_os_error(error: Exception) -> TutorError | None:
    """Explain errors that any use of a path may raise; they are not bugs of jaxtutor."""
    if not isinstance(error, OSError):
        return None
    if error.errno == errno.ENAMETOOLONG:
        return UsageError("A path is longer than this system allows.", "Use a shorter one.")
    try:
        Path.cwd()
    except FileNotFoundError:
        return TutorError("The working directory no longer exists.", "Change to another one: cd")
    return None


def _report(app: App, message: str, remedy: str, status: int) -> None:
    if app.options.json:
        from jaxtutor.core.reporting.reports import error_report

        app.print_json(error_report(message, remedy, status))
    else:
        app.warn(message, remedy and f"\n  {remedy}")


def _show_version(requested: bool) -> None:
    if requested:
        from platform import python_version

        from jaxtutor.checking.lesson_check import jax_version

        jax = jax_version()
        with_jax = f"jax {jax}" if jax else "without jax"
        typer.echo(f"jaxtutor {__version__} ({with_jax}, Python {python_version()})")
        raise typer.Exit


@main.callback()
def top(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Learn JAX in your own editor: every save is traced, run and explained."""
    del version  # its callback has printed it
    if context.invoked_subcommand is None:
        from jaxtutor.commands.home import home

        _call(context, Options(), home)


# ---------------------------------------------------------------- learning


@main.command(rich_help_panel=LEARN)
@shared_options("device", "plain", "course", "workspace")
def start(
    app: App,
    lesson: LessonArgument = None,
    layout: Annotated[
        str | None,
        typer.Option(
            metavar="WHERE",
            help="Where to show the verdict: rows, panes, plain or auto.",
            autocompletion=complete_words(*LAYOUTS),
        ),
    ] = None,
) -> int:
    """Open a lesson in your editor and check it on every save."""
    from jaxtutor.session.terminal_process import start

    return start(app, lesson, layout)


@main.command(rich_help_panel=LEARN)
@shared_options(*ALL, "format")
def check(
    app: App,
    target: Target = None,
    lesson: Annotated[
        str | None,
        typer.Option(
            "--lesson",
            metavar="LESSON",
            help="The lesson of FILE.",
            autocompletion=complete_lesson,
        ),
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Check again on every save.")] = False,
    no_keep: Annotated[
        bool, typer.Option("--no-keep", help="Do not keep a process ready for the next check.")
    ] = False,
    confine: Annotated[
        bool, typer.Option("--confine", help="Confine the file as `grade` does, or run nothing.")
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


@main.command(rich_help_panel=LEARN)
@shared_options("json", "plain", "course", "workspace", "device")
def hint(
    app: App,
    lesson: LessonArgument = None,
    every: Annotated[bool, typer.Option("--all", help="Show every hint.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Repeat the last hint.")] = False,
) -> int:
    """Show the next hint; after the last, a fix for your file."""
    from jaxtutor.commands import hints

    return hints.hint(app, lesson, every, again)


@main.command(rich_help_panel=LEARN)
@shared_options(*ALL)
def predict(
    app: App,
    lesson: LessonArgument = None,
    answer: Annotated[
        str | None, typer.Option("--answer", metavar="TEXT", help="The answer to one question.")
    ] = None,
    question: Annotated[
        int,
        typer.Option(
            "--question",
            metavar="N",
            help="The question to answer.",
            autocompletion=complete_question,
        ),
    ] = 1,
) -> int:
    """Predict what a program does, then run it to check."""
    from jaxtutor.commands import predictions

    return predictions.predict(app, lesson, question, answer)


@main.command(rich_help_panel=LOOK)
@shared_options("json", "plain", "course", "workspace")
def show(app: App, lesson: LessonArgument = None) -> int:
    """Show a lesson's text."""
    from jaxtutor.commands import pages

    return pages.show(app, lesson)


@main.command("list", rich_help_panel=LOOK)
@shared_options("json", "plain", "course", "workspace")
def list_(
    app: App,
    chapter: Annotated[
        str | None,
        typer.Argument(
            metavar="[CHAPTER]",
            help="Show the lessons of this chapter: its number or part of its name.",
            autocompletion=complete_chapter,
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Show every chapter's lessons.")] = False,
    todo: Annotated[
        bool, typer.Option("--todo", help="Show the lessons that you have not passed.")
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


@main.command(rich_help_panel=LOOK)
@shared_options("json", "plain", "course")
def search(
    app: App,
    words: Annotated[
        list[str], typer.Argument(metavar="WORDS...", help="What to look for, such as vmap axis.")
    ],
    every: Annotated[bool, typer.Option("--all", help="Show every match.")] = False,
    choose: Choose = False,
) -> int:
    """Find lessons, causes and error classes by words."""
    from jaxtutor.commands import search

    return search.find(app, tuple(words), every, choose)


@main.command(rich_help_panel=LOOK)
@shared_options("json", "plain", "course", "workspace")
def stats(app: App) -> int:
    """Show your progress, your attempts and a year of activity."""
    from jaxtutor.commands import stats

    return stats.stats(app)


@main.command("next", rich_help_panel=LEARN)
@shared_options("json", "plain", "course", "workspace")
def next_(app: App) -> int:
    """Go to the next lesson."""
    from jaxtutor.commands import pages

    return pages.move(app, 1)


@main.command(rich_help_panel=LEARN)
@shared_options("json", "plain", "course", "workspace")
def prev(app: App) -> int:
    """Go to the previous lesson."""
    from jaxtutor.commands import pages

    return pages.move(app, -1)


@main.command(rich_help_panel=LEARN)
@shared_options("json", "plain", "course", "workspace")
def reset(app: App, lesson: LessonArgument = None) -> int:
    """Restore the starter; a copy of your text is kept."""
    from jaxtutor.commands import files

    return files.reset(app, lesson)


@main.command(rich_help_panel=LEARN)
@shared_options("json", "plain", "course", "workspace")
def solution(app: App, lesson: LessonArgument = None) -> int:
    """Show the solution of a lesson."""
    from jaxtutor.commands import pages

    return pages.solution(app, lesson)


@main.command(rich_help_panel=LOOK)
@shared_options("json", "plain", "course", "workspace")
def history(app: App, lesson: LessonArgument = None, choose: Choose = False) -> int:
    """List your attempts at a lesson."""
    from jaxtutor.commands import choosing, files

    if choose:
        return choosing.restore_version(app, lesson)
    return files.history(app, lesson)


@main.command(rich_help_panel=LOOK)
@shared_options(*ALL)
def diff(
    app: App,
    lesson: LessonArgument = None,
    against: Annotated[
        str,
        typer.Option(
            "--against",
            metavar="WHAT",
            help="What to compare with: starter, solution, or an attempt's number.",
            autocompletion=complete_against,
        ),
    ] = "starter",
    jaxpr: Annotated[
        bool, typer.Option("--jaxpr", help="Compare your jaxpr with the solution's.")
    ] = False,
) -> int:
    """Compare your file with the starter, the solution or an attempt."""
    from jaxtutor.commands import files

    return files.diff(app, lesson, against, jaxpr)


@main.command(rich_help_panel=LEARN)
@shared_options("json", "plain", "course", "workspace")
def restore(
    app: App,
    number: Annotated[
        str,
        typer.Argument(
            metavar="NUMBER",
            help="An attempt's number in `history`.",
            autocompletion=complete_attempt,
        ),
    ],
    lesson: LessonArgument = None,
) -> int:
    """Restore an earlier attempt; a copy of your text is kept."""
    from jaxtutor.commands import files

    return files.restore(app, lesson, number)


@main.command(rich_help_panel=LEARN)
@shared_options("json", "plain", "course", "workspace")
def review(
    app: App,
    lesson: LessonArgument = None,
    give_up: Annotated[
        bool, typer.Option("--give-up", help="Cancel the review and restore your earlier text.")
    ] = False,
) -> int:
    """List the lessons due for review, or start the review of one."""
    from jaxtutor.commands import reviews

    return reviews.review(app, lesson, give_up)


@main.command(rich_help_panel=SYSTEM)
@shared_options("device", "json", "plain")
def devices(app: App) -> int:
    """List the devices that JAX can use on this machine."""
    from jaxtutor.commands import machine

    return machine.devices(app)


@main.command(rich_help_panel=SYSTEM)
@shared_options(*ALL)
def doctor(app: App) -> int:
    """Report problems with this installation and how to fix them."""
    from jaxtutor.commands import machine

    return machine.doctor(app)


# ---------------------------------------------------------------- settings

SettingArgument = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="A setting, such as layout.", autocompletion=complete_setting
    ),
]


@config_commands.callback()
@shared_options("json", "plain")
def config(app: App) -> int:
    """List, read and change the settings."""
    from jaxtutor.commands import config

    return config.show(app)


@config_commands.command("list")
@shared_options("json", "plain")
def config_list(app: App) -> int:
    """List every setting, its value and where that came from."""
    from jaxtutor.commands import config

    return config.show(app)


@config_commands.command("get")
@shared_options("json", "plain")
def config_get(app: App, name: SettingArgument) -> int:
    """Print the value in force of a setting."""
    from jaxtutor.commands import config

    return config.get(app, name)


@config_commands.command("set")
@shared_options("json", "plain")
def config_set(
    app: App,
    name: SettingArgument,
    value: Annotated[
        str,
        typer.Argument(metavar="VALUE", help="The new value.", autocompletion=complete_value),
    ],
) -> int:
    """Write a setting to the settings file."""
    from jaxtutor.commands import config

    return config.put(app, name, value)


@config_commands.command("unset")
@shared_options("json", "plain")
def config_unset(app: App, name: SettingArgument) -> int:
    """Remove a setting from the settings file."""
    from jaxtutor.commands import config

    return config.unset(app, name)


@config_commands.command("path")
@shared_options("json", "plain")
def config_path(app: App) -> int:
    """Print the path of the settings file."""
    from jaxtutor.commands import config

    return config.path(app)


# ---------------------------------------------------------------- the learner's own programs


@main.command(
    context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True},
    rich_help_panel=OWN,
)
@shared_options("device", "json", "format", "plain")
def diagnose(
    app: App,
    script: Annotated[
        str | None,
        typer.Argument(
            metavar="[SCRIPT]", help="A script, a notebook, or: -- pytest.", show_default=False
        ),
    ] = None,
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="[ARGS]...", help="The program's arguments.")
    ] = None,
    module: Annotated[
        str | None, typer.Option("-m", metavar="MODULE", help="Run a module, as python -m does.")
    ] = None,
    command: Annotated[
        str | None, typer.Option("-c", metavar="CODE", help="Run this code, as python -c does.")
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Time limit for the program (default: none)."),
    ] = None,
    apply: Annotated[
        bool, typer.Option("--apply", help="Write the fix into the script; a backup is kept.")
    ] = False,
    once: Annotated[
        bool, typer.Option("--once", help="Run the program a single time: no fix is tried.")
    ] = False,
    traceback: Annotated[
        bool, typer.Option("--traceback", help="Also print the whole traceback.")
    ] = False,
) -> int:
    """Run a program; explain what it raises or silently does wrong."""
    from jaxtutor.commands import diagnose
    from jaxtutor.commands.programs import take_program

    chosen = diagnose.DiagnoseOptions(timeout, apply, once, traceback)
    words = tuple(word for word in (script, *(arguments or ())) if word is not None)
    program, chosen = take_program(app, words, module, command, chosen)
    return diagnose.diagnose(app, program, chosen)


@main.command(rich_help_panel=OWN)
@shared_options("device", "plain", "course", "workspace")
def repl(
    app: App,
    lesson: LessonArgument = None,
    keys: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="Key bindings: emacs or vi.",
            autocompletion=complete_words(*KEYS),
        ),
    ] = None,
) -> int:
    """Open a JAX prompt that diagnoses errors as a check does."""
    from jaxtutor.repl.command import repl

    return repl(app, lesson, keys)


@main.command(rich_help_panel=LOOK)
@shared_options("json", "plain")
def explain(
    app: App,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="A cause or an error class; - reads a traceback from standard input.",
            autocompletion=complete_page,
        ),
    ] = None,
    choose: Choose = False,
) -> int:
    """Explain a cause, an error class or a traceback."""
    from jaxtutor.commands import choosing, diagnose

    if choose and name is not None:
        raise UsageError("--choose cannot be combined with a name.", "Leave one of them out.")
    if choose:
        return choosing.explain_page(app)
    return diagnose.explain(app, name)


@main.command(rich_help_panel=OWN)
@shared_options("device", "course", "workspace")
def lsp(app: App) -> int:
    """Serve diagnoses to an editor by the Language Server Protocol."""
    from jaxtutor.commands import language_server

    return language_server.serve(app)


# ---------------------------------------------------------------- for instructors


@main.command(rich_help_panel=TEACH)
@shared_options("device", "json", "format", "plain", "course")
def grade(
    app: App,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of learners' files.")],
    lesson: Annotated[
        str | None,
        typer.Option(
            "--lesson",
            metavar="LESSON",
            help="Grade only this lesson.",
            autocompletion=complete_lesson,
        ),
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write one CSV line per file.")
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
            "--scheduler", metavar="ADDRESS", help="Grade on the Dask cluster at this address."
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, help="Seed of the hidden test cases.")
    ] = 0,
    roster: Annotated[
        Path | None,
        typer.Option("--roster", metavar="FILE", help="The learners of the course, as CSV."),
    ] = None,
    points: Annotated[
        Path | None,
        typer.Option("--points", metavar="FILE", help="Points of lessons and checks, as TOML."),
    ] = None,
    deadline: Annotated[
        str | None,
        typer.Option("--deadline", metavar="TIME", help="Mark files that are later than this."),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option("--resume", metavar="FILE", help="Keep grades in a file, and go on from it."),
    ] = None,
    feedback: Annotated[
        Path | None,
        typer.Option("--feedback", metavar="DIR", help="Write an HTML page for each learner."),
    ] = None,
    canvas: Annotated[
        Path | None,
        typer.Option("--canvas", metavar="FILE", help="Write a CSV for Canvas' gradebook."),
    ] = None,
    moodle: Annotated[
        Path | None,
        typer.Option("--moodle", metavar="FILE", help="Write a grading worksheet for Moodle."),
    ] = None,
    gradescope: Annotated[
        Path | None,
        typer.Option("--gradescope", metavar="FILE", help="Write results.json for one submission."),
    ] = None,
) -> int:
    """Grade a folder or a zip file of learners' files."""
    from jaxtutor.commands import grade as grades
    from jaxtutor.grading.plan import GradeOptions, Outputs

    outputs = Outputs(csv, junit, canvas, moodle, gradescope, feedback)
    chosen = GradeOptions(
        lesson, jobs, confine, scheduler, seed, roster, points, deadline, resume, outputs
    )
    return grades.grade(app, folder, chosen)


# ---------------------------------------------------------------- for authors


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
