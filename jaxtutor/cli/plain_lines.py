"""Reads a plain command line from the declarations, without typer.

A line is plain if every word is known and valid. Any other, such as one with `--help` or an error,
is left to typer, which reads plain lines in the same way; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

from jaxtutor.cli.declarations import Argument, Commands
from jaxtutor.cli.invoke import Run
from jaxtutor.cli.parameters import REQUIRED, Taken, parameters
from jaxtutor.options import Options


class _NotPlain(Exception):
    """The line needs typer."""


def read_line(commands: Commands, words: Sequence[str]) -> tuple[Options, Run] | None:
    """Read a command line: its shared options, and what to run. Return None if it is not plain."""
    name, *rest = words
    if name in commands.groups:
        return read_line(commands.groups[name][0], rest) if rest else None
    command = commands.commands.get(name)
    if command is None:
        return None
    try:
        values = _read_values(parameters(command), rest, command.runs_program)
    except _NotPlain:
        return None
    options = Options(**{name: values.pop(name) for name in command.shared})
    return options, lambda app: command.function(app, **values)


def _read_values(taken: list[Taken], words: list[str], runs_program: bool) -> dict[str, Any]:
    """Return a value for every parameter; the words after a program are kept as they are."""
    options = {flag: it for it in taken for flag in _flags(it)}
    given: dict[str, Any] = {}
    free: list[str] = []
    waiting = iter(words)
    for word in waiting:
        if word.startswith("-"):
            flag, equals, text = word.partition("=")
            option = _known(options.get(flag), is_short=not flag.startswith("--"))
            if option.type is bool:
                given[option.name] = _switch(equals)
            else:
                given[option.name] = _read_value(option, text if equals else next(waiting, ""))
        else:
            free.append(word)
            if runs_program:
                break
    arguments = [it for it in taken if isinstance(it.declared, Argument)]
    given |= _read_arguments(arguments, free)
    if kept := list(waiting):
        given[arguments[-1].name] = kept
    return {it.name: given[it.name] if it.name in given else _default(it) for it in taken}


def _flags(it: Taken) -> tuple[str, ...]:
    if isinstance(it.declared, Argument):
        return ()
    return it.declared.flags or (f"--{it.name.replace('_', '-')}",)


def _known(option: Taken | None, is_short: bool) -> Taken:
    if option is None or is_short:
        raise _NotPlain
    return option


def _switch(equals: str) -> bool:
    if equals:
        raise _NotPlain
    return True


def _read_arguments(arguments: list[Taken], words: list[str]) -> dict[str, Any]:
    """Give each argument its word, and a list all that are left."""
    given: dict[str, Any] = {}
    left = list(words)
    for it in arguments:
        if _kind(it) == list[str]:
            given[it.name], left = [_text(word) for word in left] or _default(it), []
        elif left:
            given[it.name] = _read_value(it, left.pop(0))
    if left:
        raise _NotPlain
    return given


def _default(it: Taken) -> Any:
    if it.default is REQUIRED:
        raise _NotPlain
    return it.default


def _kind(it: Taken) -> Any:
    """Return a parameter's type without None."""
    kinds = get_args(it.type)
    return kinds[0] if type(None) in kinds else it.type


def _read_value(it: Taken, text: str) -> Any:
    kind = _kind(it)
    if "callback" in it.declared.about:
        raise _NotPlain
    if kind is int:
        return _read_number(text, it.declared.about.get("min", 0))
    if kind not in (str, Path):
        raise _NotPlain
    return kind(_text(text))


def _read_number(text: str, least: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10) or int(text) < least:
        raise _NotPlain
    return int(text)


def _text(text: str) -> str:
    """Return a word that nothing could read in another way."""
    if not text or text.startswith("-"):
        raise _NotPlain
    return text
