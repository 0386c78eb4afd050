"""Lays out the page of `:help`: the commands and the keys."""

from __future__ import annotations

from jaxtutor.core.repl.commands import COMMANDS, PromptCommand
from jaxtutor.core.repl.messages import Page, PageStyle

KEYS = (
    ("Tab", "complete; opens a menu if there are several completions"),
    ("Enter", "run the cell if it is complete, otherwise start a new line"),
    ("Alt-Enter", "run the cell as it is"),
    ("Ctrl-R", "search the history; Up and Down step through it"),
    ("Ctrl-C", "discard the line; stop a running cell"),
    ("F4", "switch between vi and emacs keys"),
    ("Ctrl-D", "leave the prompt"),
)


def help_page(name: str, look: PageStyle) -> Page:
    """List the commands and the keys, or describe one command."""
    if name in COMMANDS:
        return _one(COMMANDS[name])
    width = max(len(f":{c.name} {c.usage}") for c in COMMANDS.values())
    keys = max(len(key) for key, _ in KEYS)
    width = width if look.width >= 60 else 0
    lines = [_line(command, width) for command in COMMANDS.values()]
    also = (("?name", "describe a name; `??name` includes its source"),)
    return (
        (("Commands. Each is also a function: `tutor.cost(f, x)`.", "title"),),
        *lines,
        *(((f"{text:<{width}}  ", "code"), (says, "")) for text, says in also),
        (("Keys", "title"),),
        *(((f"{key:<{keys}}  ", "code"), (says, "")) for key, says in KEYS),
    )


def _line(command: PromptCommand, width: int) -> tuple[tuple[str, str], ...]:
    text = f":{command.name} {command.usage}".rstrip()
    return ((f"{text:<{width}}  ", "code"), (command.says, ""))


def _one(command: PromptCommand) -> Page:
    called = {"call": "f, x", "maybe": "x", "name": '"…"'}.get(command.takes, "")
    return (
        ((f":{command.name} {command.usage}".rstrip(), "code"), (f"   {command.says}", "")),
        (("as a function  ", "quiet"), (f"tutor.{command.name}({called})", "code")),
    )
