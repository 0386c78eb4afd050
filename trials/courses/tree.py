"""Lists every command of the command line with its options and arguments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import typer

from jaxtutor.cli import command_line


@dataclass(frozen=True)
class Place:
    """One option or argument of a command: its flags and the kind of its value."""

    flag: str | None
    name: str
    is_switch: bool


@dataclass(frozen=True)
class Command:
    """One command: its words, options and arguments."""

    words: tuple[str, ...]
    places: tuple[Place, ...]

    def takes(self, flag: str) -> bool:
        """Return True if it has an option."""
        return any(place.flag == flag for place in self.places)

    @property
    def arguments(self) -> tuple[Place, ...]:
        """The positional arguments in order."""
        return tuple(place for place in self.places if place.flag is None)


def commands() -> tuple[Command, ...]:
    """Return every command, read from the command line's own definition."""
    return tuple(_walk(typer.main.get_command(command_line()), ()))


def _walk(command: Any, words: tuple[str, ...]) -> Iterator[Command]:
    inner = getattr(command, "commands", None)
    if inner is not None:
        for name, one in inner.items():
            yield from _walk(one, (*words, name))
        return
    yield Command(words, tuple(map(_place, command.params)))


def _place(parameter: Any) -> Place:
    if parameter.param_type_name == "argument":
        return Place(None, parameter.name or "", False)
    return Place(
        max(parameter.opts, key=len), parameter.name or "", bool(getattr(parameter, "is_flag", 0))
    )
