"""Declares the arguments and options that several commands take."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_type_hints

from jaxtutor.cli.declarations import Argument, Command, Option, Parameter

LessonArgument = Annotated[
    str | None,
    Argument(
        metavar="LESSON",
        help="A lesson's name, its number, part of its name; a chapter; project:NAME.",
        show_default=False,
        completes="lesson",
    ),
]
Target = Annotated[
    str | None,
    Argument(
        metavar="LESSON or FILE",
        help="A lesson, or a file with the name of a lesson's file.",
        show_default=False,
        completes="lesson",
    ),
]

Jobs = Annotated[
    int | None,
    Option(
        "--jobs", metavar="N", min=1, help="Number of parallel jobs (default: one for each CPU)."
    ),
]
Choose = Annotated[bool, Option("--choose", help="Choose from the list in the terminal.")]
Junit = Annotated[
    Path | None,
    Option("--junit", metavar="FILE", help="Also write the results as JUnit XML."),
]

FORMATS = ("full", "concise", "short", "json", "github", "gitlab", "junit", "sarif", "rdjson")
"""The names of formats: `full` is the usual one, and `concise` another name of `short`."""


def _known_format(name: str) -> str:
    if name and name not in FORMATS:
        import typer

        raise typer.BadParameter(f"{name!r} is not one of {', '.join(FORMATS)}")
    return name


# The shared options: type and default of each.
SHARED: dict[str, tuple[Any, Any]] = {
    "device": (
        Annotated[
            str | None,
            Option(
                metavar="NAME",
                help="Run on this device, such as cpu, gpu, tpu or cuda:1.",
                completes="device",
            ),
        ],
        None,
    ),
    "json": (Annotated[bool, Option("--json", help="Print one JSON object.")], False),
    "format": (
        Annotated[
            str,
            Option(
                metavar="NAME",
                help="Print problems for another tool, such as concise or sarif.",
                completes="format",
                callback=_known_format,
            ),
        ],
        "",
    ),
    "plain": (
        Annotated[
            bool,
            Option("--plain", help="No colour, no drawing: for screen readers and logs."),
        ],
        False,
    ),
    "course": (
        Annotated[
            Path | None,
            Option(
                "--course",
                metavar="DIR",
                help="Use the course in this folder, or the added one of this name.",
                completes="course",
            ),
        ],
        None,
    ),
    "workspace": (
        Annotated[
            Path | None,
            Option("--workspace", metavar="DIR", help="Keep your files in this folder."),
        ],
        None,
    ),
}
ALL = tuple(name for name in SHARED if name != "format")


REQUIRED = inspect.Parameter.empty
"""The default of a parameter that has none."""


class Taken(NamedTuple):
    """A parameter of a command: its name, its type and default, and what is declared about it."""

    name: str
    type: Any
    default: Any
    declared: Parameter


def parameters(command: Command) -> list[Taken]:
    """List the parameters of a command: its own, then the shared ones."""
    _app, *own = inspect.signature(command.function).parameters.values()
    # `App` is imported for type checking only, so its name is resolved here.
    types = get_type_hints(command.function, localns={"App": object}, include_extras=True)
    declared = [(it.name, types[it.name], it.default) for it in own]
    declared += [(name, *SHARED[name]) for name in SHARED if name in command.shared]
    return [
        Taken(name, kind.__origin__, default, kind.__metadata__[0])
        for name, kind, default in declared
    ]
