"""Builds the typer program from the declarations: for help, errors and completion."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from typing import Annotated, Any

import typer

from jaxtutor import __version__
from jaxtutor.cli.declarations import Argument, Command, Commands, Parameter
from jaxtutor.cli.groups import CommandGroups
from jaxtutor.cli.invoke import invoke
from jaxtutor.cli.parameters import parameters
from jaxtutor.options import Options

EPILOG = """
Exit status: 0 passed or done; 1 not passed, or a mistake was found; 2 wrong usage; 3 the
environment or a lesson is broken; 130 interrupted.

Variables: JAXTUTOR_HOME, one folder for all files; VISUAL or EDITOR; PAGER; NO_COLOR. Every setting
has one: jaxtutor config.

Help: jaxtutor COMMAND --help, and the manual pages: man jaxtutor.
"""
"""click rewraps each paragraph."""


def build(declared: list[Commands], names: Collection[str]) -> typer.Typer:
    """Return the program with those of the declared commands that have these names."""
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
    for commands in declared:
        program.add_typer(_convert(commands, names))
    return program


def _convert(commands: Commands, names: Collection[str] | None = None) -> typer.Typer:
    """Convert commands and groups; a group has a help text, the commands of a module none.

    With `names`, only these are converted.
    """
    about = commands.about
    if about:
        about = {"cls": CommandGroups, "rich_markup_mode": None, **about}
    converted = typer.Typer(**about)
    if commands.without_command:
        converted.callback()(_function(commands.without_command))
    for name, (group, words) in commands.groups.items():
        if names is None or name in names:
            converted.add_typer(_convert(group), name=name, **words)
    for name, command in commands.commands.items():
        if names is None or name in names:
            converted.command(name, **command.about)(_function(command))
    return converted


def _function(command: Command) -> Callable[..., None]:
    """Return the function that typer calls, with the signature that it reads."""

    def run_command(context: typer.Context, **arguments: Any) -> None:
        if context.invoked_subcommand is not None:  # a group, which does nothing itself
            return
        options = Options(**{name: arguments.pop(name) for name in command.shared})
        early, context.obj = context.obj, None
        words = context.command_path.split(" ")
        status = invoke(words, options, lambda app: command.function(app, **arguments), early)
        raise typer.Exit(status)

    signature = _signature(command)
    run_command.__signature__ = signature  # type: ignore[attr-defined]
    run_command.__annotations__ = {it.name: it.annotation for it in signature.parameters.values()}
    run_command.__name__, run_command.__doc__ = command.function.__name__, command.function.__doc__
    return run_command


def _signature(command: Command) -> inspect.Signature:
    """List what typer is to parse: the context, the command's own parameters, the shared ones."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    converted = [
        inspect.Parameter(
            it.name,
            keyword,
            default=it.default,
            annotation=Annotated[it.type, _parameter(it.declared)],
        )
        for it in parameters(command)
    ]
    context = inspect.Parameter("context", keyword, annotation=typer.Context)
    return inspect.Signature([context, *converted])


def _parameter(declared: Parameter) -> Any:
    about = dict(declared.about)
    if declared.completes:
        from jaxtutor.cli import completion

        about["autocompletion"] = getattr(completion, f"complete_{declared.completes}")
    if isinstance(declared, Argument):
        return typer.Argument(**about)
    return typer.Option(*declared.flags, **about)


def _show_version(requested: bool) -> None:
    if requested:
        from platform import python_version

        from jaxtutor.system.packages import installed_version

        jax = installed_version("jax")
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

        raise typer.Exit(invoke(["jaxtutor"], Options(), home, context.obj))
