"""Lists the commands of the command line, as typer parses them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from jaxtutor.cli import command_line


def program() -> Any:
    """Return the parser of the whole program."""
    return typer.main.get_command(command_line())


def commands() -> dict[str, Any]:
    """Return the parser of every command, by the words that are typed for it."""
    return dict(_walk(program(), ""))


def _walk(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    if not hasattr(command, "commands"):
        yield name, command
        return
    for word, inner in command.commands.items():
        if not inner.hidden:
            yield from _walk(inner, f"{name} {word}".strip())
