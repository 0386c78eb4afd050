"""Declares commands as data: their functions, and what typer needs to know about each parameter.

Importing typer takes as long as running most commands. So a command line without help or errors is
read from these declarations (`plain_lines`), and typer gets them only otherwise (`typer_program`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

GROUPS = ("Learn", "Look", "Your own programs", "Teach", "Author", "System")
"""The groups of commands in the help."""
LEARN, LOOK, OWN, TEACH, AUTHOR, SYSTEM = GROUPS


class Parameter:
    """What typer is given about a parameter. `completes` is the rest of a name in `completion`."""

    def __init__(self, *flags: str, completes: str = "", **about: Any) -> None:
        self.flags = flags
        self.completes = completes
        self.about = about


class Argument(Parameter):
    """A positional argument."""


class Option(Parameter):
    """An option; without flags, it is `--` and the name of the parameter."""


class Command:
    """A function that takes an `App`, the names of its shared options, and words for typer."""

    def __init__(self, function: Callable[..., int], shared: tuple[str, ...]) -> None:
        self.function = function
        self.shared = shared
        self.about: dict[str, Any] = {}

    @property
    def runs_program(self) -> bool:
        """Return whether its first argument is a program, which every later word is for."""
        settings = self.about.get("context_settings", {})
        return not settings.get("allow_interspersed_args", True)


class Commands:
    """The commands of a module or of a group, in the order of the help."""

    def __init__(self, **about: Any) -> None:
        self.about = about
        self.groups: dict[str, tuple[Commands, dict[str, Any]]] = {}
        self.commands: dict[str, Command] = {}
        self.without_command: Command | None = None

    def command(self, name: str = "", **about: Any) -> Callable[[Command], Command]:
        """Add a command, named after its function by default."""

        def add(command: Command) -> Command:
            command.about = about
            self.commands[name or command.function.__name__] = command
            return command

        return add

    def callback(self) -> Callable[[Command], Command]:
        """Set what runs if a group is called without a command."""

        def add(command: Command) -> Command:
            self.without_command = command
            return command

        return add

    def add_group(self, group: Commands, name: str, **about: Any) -> None:
        """Add a group of commands."""
        self.groups[name] = group, about


def shared_options(*names: str) -> Callable[[Callable[..., int]], Command]:
    """Turn a function into a command that also takes the named shared options."""
    return lambda function: Command(function, names)
