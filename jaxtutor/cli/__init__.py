"""Parses the command line. Each module below declares some commands, which call `commands/`."""

from __future__ import annotations

import os
import re
import shutil
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from jaxtutor import __version__
from jaxtutor.cli.groups import CommandGroups
from jaxtutor.cli.invoke import invoke
from jaxtutor.errors import OutputError, UsageError
from jaxtutor.options import Options

if TYPE_CHECKING:
    from jaxtutor.processes.spawn import Process

EPILOG = """
Exit status: 0 passed or done; 1 not passed, or a mistake was found; 2 wrong usage; 3 the
environment or a lesson is broken; 130 interrupted.

Variables: JAXTUTOR_HOME, one folder for all files; VISUAL or EDITOR; PAGER; NO_COLOR. Every setting
has one: jaxtutor config.

Help: jaxtutor COMMAND --help, and the manual pages: man jaxtutor.
"""
"""click rewraps each paragraph."""

DECLARED_IN = {
    "learning": "start check hint predict drill next prev reset solution restore review",
    "looking": "show list search stats history diff explain",
    "programs": "diagnose repl lsp",
    "teaching": "grade",
    "authoring": "course lesson",
    "system": "devices doctor",
    "configuration": "config",
}
"""The commands of each module, so that only the module of the command that runs is imported."""

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
        status = command_line(_first_word(arguments))(
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


def _first_word(arguments: list[str]) -> str:
    """Return the command's name; a shell that completes a line passes that in the environment."""
    if "_JAXTUTOR_COMPLETE" in os.environ:
        line = os.environ.get("_TYPER_COMPLETE_ARGS") or os.environ.get("COMP_WORDS", "")
        arguments = line.split()[1:]
    return arguments[0] if arguments else ""


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


def command_line(word: str = "") -> typer.Typer:
    """Return the program with the commands of the module that declares `word`, or with all."""
    program = typer.Typer(
        name="jaxtutor",
        cls=CommandGroups,
        epilog=EPILOG,
        help="Learn JAX in your own editor: every save is traced, run and explained.",
        invoke_without_command=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    program.callback()(top)
    modules = [name for name, words in DECLARED_IN.items() if word in words.split()]
    for name in modules or DECLARED_IN:
        module = import_module(f"jaxtutor.cli.{name}")
        program.add_typer(module.commands)
    return program


def _show_version(requested: bool) -> None:
    if requested:
        from platform import python_version

        from jaxtutor.checking.lesson_check import jax_version

        jax = jax_version()
        with_jax = f"jax {jax}" if jax else "without jax"
        typer.echo(f"jaxtutor {__version__} ({with_jax}, Python {python_version()})")
        raise typer.Exit


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

        invoke(context, Options(), home)
