"""Declares the arguments and options that several commands take."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from jaxtutor.cli.completion import (
    complete_course,
    complete_device,
    complete_lesson,
    complete_words,
)
from jaxtutor.cli.invoke import invoke
from jaxtutor.options import Options

LessonArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="[LESSON]",
        help="A lesson's name, number, or any unambiguous part; or project:NAME.",
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
    int | None,
    typer.Option(
        "--jobs", metavar="N", min=1, help="Number of parallel jobs (default: one for each CPU)."
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
            typer.Option(
                "--course",
                metavar="DIR",
                help="Use the course in this folder, or the added one of this name.",
                autocompletion=complete_course,
            ),
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
            invoke(context, options, lambda app: command(app, **arguments))

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
