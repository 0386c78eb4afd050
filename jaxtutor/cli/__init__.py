"""Parses the command line. Each module below declares some commands, which call `commands/`."""

from __future__ import annotations

import os
import re
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from jaxtutor.cli.invoke import Run, invoke
from jaxtutor.errors import OutputError, UsageError
from jaxtutor.options import Options

if TYPE_CHECKING:
    from typer import Typer

    from jaxtutor.cli.declarations import Commands
    from jaxtutor.processes.spawn import Process

DECLARED_IN = {
    "learning": "start check hint predict drill next prev reset solution restore review",
    "looking": "show list search stats history diff explain docs",
    "programs": "diagnose lint repl lsp",
    "teaching": "grade",
    "authoring": "course lesson",
    "system": "devices doctor schema",
    "configuration": "config",
}
"""The commands of each module, so that only the module of the command that runs is imported."""

_COMPLETES = "_JAXTUTOR_COMPLETE"
"""The variable by which a shell asks for completions."""
SHELLS = ("bash", "zsh", "fish", "powershell", "pwsh")
LONGEST_ARGUMENT = 4096
"""Characters, as in the longest path; an error would repeat a longer argument. `diagnose` takes
programs, and arguments for them."""

_SIZE = re.compile(r"[1-9][0-9]{0,3}")


def run(arguments: list[str], early: Process | None = None) -> int:
    """Run one command line and return its exit status."""
    _ignore_invalid_sizes()
    if arguments[:1] == ["--install-completion"] and len(arguments) > 1:
        sys.stderr.write(
            "jaxtutor: --install-completion takes no name of a shell.\n"
            "  Run it in the shell that is to have the completion. The script of another:\n"
            f"  jaxtutor --show-completion {'|'.join(SHELLS)}\n"
        )
        return UsageError.status
    longest = max(map(len, arguments), default=0)
    if longest > LONGEST_ARGUMENT and arguments[0] != "diagnose":
        return _refuse_length(longest, as_json="--json" in arguments)
    try:
        if arguments[:1] == ["--show-completion"] and len(arguments) > 1:
            return _show_completion(arguments[1:], early)
        plain = None if _COMPLETES in os.environ else _read_plain(arguments)
        if plain is None:
            return _run_typer(arguments, early)
        return _run_plain(*plain, arguments, early)
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else 1
    except OutputError as error:  # the help, or the version
        sys.stderr.write(f"jaxtutor: {error.message}\n")
        return error.status


def _read_plain(arguments: list[str]) -> tuple[Options, Run] | None:
    """Read the line without typer if that is possible."""
    if not arguments:
        from jaxtutor.commands.home import home

        return Options(), home
    module = _declared_in(arguments[0])
    if not module:
        return None
    from jaxtutor.cli.plain_lines import read_line

    return read_line(_commands(module), arguments)


def _run_plain(options: Options, command: Run, words: list[str], early: Process | None) -> int:
    """Run a command; interruptions have the exit statuses that typer gives them."""
    try:
        return invoke(words[:1], options, command, early)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 1


def _run_typer(arguments: list[str], early: Process | None) -> int:
    """Run any command line, or complete one."""
    from typer import BadParameter

    # typer exports only its subclasses of click's ClickException, and has a click of its own.
    click_error = cast(type[Exception], BadParameter.__mro__[2])
    as_json = "--json" in arguments
    try:
        status = command_line(_first_word(arguments))(
            end_options_at_program(arguments),
            prog_name="jaxtutor",
            obj=early,
            terminal_width=_help_width(),
            standalone_mode=not as_json,  # click would print a usage error as text
        )
    except click_error as error:
        return _report_usage(error)
    return status if isinstance(status, int) else 0


def _show_completion(shells: list[str], early: Process | None) -> int:
    """Print the completion script of a named shell, whichever shell this is."""
    if len(shells) > 1 or shells[0] not in SHELLS:
        sys.stderr.write(f"jaxtutor: --show-completion takes one of {', '.join(SHELLS)}.\n")
        return UsageError.status
    os.environ[_COMPLETES] = f"source_{shells[0]}"
    try:
        return _run_typer([], early)
    finally:
        del os.environ[_COMPLETES]


def _first_word(arguments: list[str]) -> str:
    """Return the command's name; a shell that completes a line passes that in the environment."""
    if _COMPLETES in os.environ:
        line = os.environ.get("_TYPER_COMPLETE_ARGS") or os.environ.get("COMP_WORDS", "")
        arguments = line.split()[1:]
    return arguments[0] if arguments else ""


def _refuse_length(characters: int, as_json: bool) -> int:
    message = f"An argument has {characters:,} characters."
    remedy = f"The longest that is accepted has {LONGEST_ARGUMENT:,}."
    if as_json:
        return _print_error(message, remedy)
    sys.stderr.write(f"jaxtutor: {message} {remedy}\n")
    return UsageError.status


def _report_usage(error: Any) -> int:
    """Print click's error about the command line as JSON; return its exit status."""
    path = error.ctx.command_path if getattr(error, "ctx", None) else "jaxtutor"
    return _print_error(error.format_message(), f"See: {path} --help")


def _print_error(message: str, remedy: str) -> int:
    """Print an error about the command line as JSON; return its exit status."""
    from jaxtutor.core.reporting.outputs.output import write_json
    from jaxtutor.core.reporting.system_reports import error_report

    sys.stdout.write(write_json(error_report(message, remedy, UsageError.status)) + "\n")
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
    import shutil

    columns = shutil.get_terminal_size().columns
    return max(columns - 1, 30) if columns <= 52 else None


def command_line(word: str = "") -> Typer:
    """Return the program with the command of this name, or with all.

    While a shell completes the line, `word` may be the beginning of a name.
    """
    from jaxtutor.cli.typer_program import build

    completes = _COMPLETES in os.environ
    every = [name for words in DECLARED_IN.values() for name in words.split()]
    names = [name for name in every if name == word or (completes and name.startswith(word))]
    modules = dict.fromkeys(_declared_in(name) for name in names or every)
    return build([_commands(module) for module in modules], names or every)


def _declared_in(word: str) -> str:
    """Return the module that declares a command; empty if there is no such command."""
    return next((name for name, words in DECLARED_IN.items() if word in words.split()), "")


def _commands(module: str) -> Commands:
    found: Commands = import_module(f"jaxtutor.cli.{module}").commands
    return found
