"""Tests that a plain command line means the same with and without typer."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from jaxtutor.cli import DECLARED_IN, command_line, typer_program
from jaxtutor.cli.declarations import Command, Commands
from jaxtutor.cli.parameters import parameters
from jaxtutor.cli.plain_lines import read_line
from jaxtutor.options import Options

Call = tuple[Options, dict[str, Any]]

WORDS = ("3", "007", "x", "safe-clip", "a b", "", "-", "--", "-1", "1.5", "é", "--json", "=", "k=v")
EACH = 14
"""Lines for each command; building typer's program takes some ms for each."""


def modules() -> dict[str, Commands]:
    """Return the commands of each module."""
    return {name: import_module(f"jaxtutor.cli.{name}").commands for name in DECLARED_IN}


def walk(commands: Commands, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the words of every command."""
    yield from ((*before, name) for name in commands.commands)
    for name, (group, _) in commands.groups.items():
        yield from walk(group, (*before, name))


PLACES = [(module, words) for module, found in modules().items() for words in walk(found)]


def find(module: str, words: tuple[str, ...]) -> Command:
    """Return the command with these words."""
    commands = modules()[module]
    for group in words[:-1]:
        commands = commands.groups[group][0]
    return commands.commands[words[-1]]


def make_line(command: Command, chance: random.Random) -> list[str]:
    """Return a line of words, options and values, of which most are valid."""
    flags = [flag for it in parameters(command) for flag in it.declared.flags]
    flags += [f"--{name}" for name in command.shared]
    line: list[str] = []
    for _ in range(chance.randrange(4)):
        flag, word = chance.choice([*flags, "--nonsense"]), chance.choice(WORDS)
        line += chance.choice([[flag], [flag, word], [f"{flag}={word}"], [word]])
    return line


def record(
    module: str, words: tuple[str, ...], line: list[str], monkeypatch: pytest.MonkeyPatch
) -> tuple[Call | None, Call | None]:
    """Return what is called without typer and with it; None where nothing is."""
    command = find(module, words)
    taken: list[dict[str, Any]] = []
    options: list[Options] = []

    @functools.wraps(command.function)
    def function(app: object, **values: Any) -> int:
        del app
        taken.append(values)
        return 0

    def invoke(_words: object, found: Options, run: Any, *_: object) -> int:
        options.append(found)
        return int(run(None))

    with monkeypatch.context() as patch:
        patch.setattr(command, "function", function)
        patch.setattr(typer_program, "invoke", invoke)
        plain = read_line(modules()[module], [*words, *line])
        if plain is not None:
            invoke(None, *plain)
        read = (options.pop(), taken.pop()) if plain else None
        with pytest.raises(SystemExit):
            command_line(words[0])([*words, *line], prog_name="jaxtutor")
    return read, (options.pop(), taken.pop()) if taken else None


@pytest.mark.parametrize(("module", "words"), PLACES, ids=str)
def test_a_plain_line_is_read_as_typer_reads_it(
    module: str,
    words: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Whatever is read without typer is read by typer too, with the same values."""
    chance = random.Random(" ".join(words))
    command = find(module, words)
    for line in [[], *(make_line(command, chance) for _ in range(EACH))]:
        plain, full = record(module, words, line, monkeypatch)
        assert plain is None or plain == full, line
    capsys.readouterr()


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("learning", "hint"),
        ("learning", "hint --again --json"),
        ("learning", "check file.py --lesson 3.1 --watch"),
        ("learning", "restore 3 --course=folder"),
        ("learning", "predict 3.1 --question 2 --answer x"),
        ("looking", "list 3 --all"),
        ("looking", "search vmap axis"),
        ("looking", "explain traced-bool-in-if --plain"),
        ("configuration", "config get layout"),
        ("authoring", "lesson test 3.1 --jobs 1"),
        ("teaching", "grade folder --seed 0 --csv out.csv"),
        ("programs", "diagnose train.py"),
        ("programs", "diagnose --json train.py --steps 3 -v -- x"),
    ],
)
def test_a_usual_line_needs_no_typer(module: str, line: str) -> None:
    """The lines that people type are read without typer."""
    assert read_line(modules()[module], line.split()) is not None


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("learning", "hint --help"),
        ("learning", "hint a b"),
        ("learning", "hint --agin"),
        ("learning", "hint --all=yes"),
        ("learning", "restore"),
        ("learning", "check --format sarif"),
        ("authoring", "lesson test --jobs 0"),
        ("programs", "diagnose -m package.train"),
        ("programs", "diagnose --jsn train.py"),
        ("configuration", "config"),
        ("configuration", "config got"),
    ],
)
def test_help_and_errors_are_left_to_typer(module: str, line: str) -> None:
    """A line with help, an error or rules of its own is not read here."""
    assert read_line(modules()[module], line.split()) is None
