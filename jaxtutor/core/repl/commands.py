"""Defines the prompt's commands, and parses what was entered."""

from __future__ import annotations

import ast
from difflib import get_close_matches
from typing import Literal

from msgspec import Struct

Takes = Literal["call", "maybe", "nothing", "name", "words"]
"""The argument of a command: a call, an optional expression, none, a name, or free text."""


class PromptCommand(Struct, frozen=True):
    """A command. `in_worker` is True for commands that examine values in the worker."""

    name: str
    takes: Takes
    usage: str
    says: str
    in_worker: bool = True


COMMANDS: dict[str, PromptCommand] = {
    command.name: command
    for command in (
        PromptCommand("jaxpr", "call", "f(x)", "the jaxpr of the call"),
        PromptCommand("trace", "call", "f(x)", "each equation next to its source line"),
        PromptCommand("jit", "call", "f(x)", "compare the call with and without jit"),
        PromptCommand("grad", "call", "f(x)", "the value and its gradient"),
        PromptCommand("vmap", "call", "f(xs)", "the call mapped over the first axis"),
        PromptCommand("cost", "call", "f(x)", "FLOPs, bytes, memory and compile time"),
        PromptCommand("hlo", "call", "f(x)", "the program passed to XLA"),
        PromptCommand("time", "call", "f(x)", "compile time and run time"),
        PromptCommand("retraces", "maybe", "[f | f(x)]", "which calls were traced again, and why"),
        PromptCommand("shape", "maybe", "[x]", "shapes and dtypes of all names, or of a tree"),
        PromptCommand("device", "maybe", "[x]", "the devices, or the device of a value"),
        PromptCommand("explain", "name", "[CAUSE]", "the page of a cause", in_worker=False),
        PromptCommand("why", "nothing", "", "the last error in detail", False),
        PromptCommand("check", "nothing", "", "check the lesson's file", in_worker=False),
        PromptCommand("hint", "nothing", "", "the lesson's next hint", in_worker=False),
        PromptCommand(
            "save", "name", "[LINE]", "write a cell into the lesson's file", in_worker=False
        ),
        PromptCommand("help", "name", "[COMMAND]", "this list", in_worker=False),
        PromptCommand("quit", "nothing", "", "leave the prompt", in_worker=False),
    )
}

_ALSO = {"q": "quit", "exit": "quit", "h": "help", "?": "help", "shapes": "shape"}
_LEAVING = frozenset({"exit", "quit", "exit()", "quit()"})


class ParsedInput(Struct, frozen=True):
    """The parsed input: a cell, a command with its argument, a question, or nothing.

    `problem` explains why invalid input cannot be run.
    """

    kind: Literal["nothing", "cell", "command", "question", "problem"]
    text: str = ""
    command: str = ""
    deeply: bool = False
    problem: str = ""


def read_entry(text: str) -> ParsedInput:
    """Parse what was entered."""
    stripped = text.strip()
    if not stripped:
        return ParsedInput("nothing")
    if stripped in _LEAVING:
        return ParsedInput("command", command="quit")
    if "\n" not in stripped:
        if stripped.startswith(":"):
            return _read_command(stripped[1:])
        if stripped.startswith("?") or stripped.endswith("?"):
            return _read_question(stripped)
    return ParsedInput("cell", text)


def _read_command(text: str) -> ParsedInput:
    word, _, rest = text.strip().partition(" ")
    name = _ALSO.get(word, word)
    command = COMMANDS.get(name)
    rest = rest.strip()
    if command is None:
        return ParsedInput("problem", problem=_unknown(word))
    if command.takes == "call" and not rest:
        return ParsedInput("problem", problem=f"`:{name}` needs a call: `:{name} {command.usage}`.")
    if command.takes == "nothing" and rest:
        return ParsedInput("problem", problem=f"`:{name}` takes no argument.")
    if command.in_worker and rest:
        broken = _syntax_problem(rest)
        if broken:
            return ParsedInput("problem", problem=broken)
    return ParsedInput("command", rest, name)


def _unknown(word: str) -> str:
    if not word:
        return "The command's name is missing. `:help` lists the commands."
    close = get_close_matches(word, [*COMMANDS], n=2, cutoff=0.5)
    close += [name for name in COMMANDS if name.startswith(word) and name not in close]
    meant = " or ".join(f"`:{name}`" for name in close[:2])
    ask = f"Did you mean {meant}?" if meant else "`:help` lists the commands."
    return f"There is no command `:{word[:40]}`. {ask}"


def _syntax_problem(text: str) -> str:
    try:
        ast.parse(text, mode="eval")
    except SyntaxError as error:
        return f"Invalid Python, `{text[:60]}`: {error.msg}."
    except (ValueError, MemoryError, RecursionError):
        return "Invalid Python."
    return ""


def _read_question(text: str) -> ParsedInput:
    subject = text.strip("? ")
    deeply = "??" in text
    if not subject:
        return ParsedInput("command", command="help")
    if _syntax_problem(subject):
        return ParsedInput(
            "problem", problem=f"`?` takes a name, such as `?jnp.sum`, not `{subject}`."
        )
    return ParsedInput("question", subject, deeply=deeply)


# ---------------------------------------------------------------- operands


class OperandExpression(Struct, frozen=True):
    """A call split into its function and arguments."""

    function: str = ""
    arguments: tuple[str, ...] = ()
    keywords: tuple[tuple[str, str], ...] = ()


def read_subject(source: str) -> OperandExpression | None:
    """Parse a call; None for other expressions, and for calls with `*` or `**`."""
    node = ast.parse(source.strip(), mode="eval").body
    if not isinstance(node, ast.Call):
        return None
    if any(isinstance(a, ast.Starred) for a in node.args):
        return None
    if any(k.arg is None for k in node.keywords):
        return None
    return OperandExpression(
        ast.unparse(node.func),
        tuple(map(ast.unparse, node.args)),
        tuple((k.arg or "", ast.unparse(k.value)) for k in node.keywords),
    )
