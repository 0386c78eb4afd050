"""Owns the prompt's commands: their names, what each takes, and what a typed line asks for."""

from __future__ import annotations

import ast
from difflib import get_close_matches
from typing import Literal

from msgspec import Struct

Takes = Literal["call", "maybe", "nothing", "name", "words"]
"""What a command is given: a call to look at, an expression or nothing, nothing, a name, words."""


class Command(Struct, frozen=True):
    """One command. `in_worker` tells those that look at values from those of the prompt itself."""

    name: str
    takes: Takes
    usage: str
    says: str
    in_worker: bool = True


COMMANDS: dict[str, Command] = {
    command.name: command
    for command in (
        Command("jaxpr", "call", "f(x)", "the program that JAX traces"),
        Command("trace", "call", "f(x)", "each equation beside the line it came from"),
        Command("jit", "call", "f(x)", "the call with jit and without: same answer?"),
        Command("grad", "call", "f(x)", "the value and its gradient"),
        Command("vmap", "call", "f(xs)", "the call mapped over the first axis"),
        Command("cost", "call", "f(x)", "FLOPs, bytes, memory and compile time"),
        Command("hlo", "call", "f(x)", "what is handed to XLA"),
        Command("time", "call", "f(x)", "how long it takes, compiling apart from running"),
        Command("retraces", "maybe", "[f | f(x)]", "what was traced again, and why"),
        Command("shape", "maybe", "[x]", "shapes and dtypes: of all names, or of one tree"),
        Command("device", "maybe", "[x]", "the devices, or where a value lies"),
        Command("explain", "name", "[CAUSE]", "a cause's page", in_worker=False),
        Command("why", "nothing", "", "the last error in full: where its value came from", False),
        Command("check", "nothing", "", "check the lesson's file", in_worker=False),
        Command("hint", "nothing", "", "the lesson's next hint", in_worker=False),
        Command("save", "name", "[LINE]", "put a cell into the lesson's file", in_worker=False),
        Command("help", "name", "[COMMAND]", "this list", in_worker=False),
        Command("quit", "nothing", "", "leave", in_worker=False),
    )
}

_ALSO = {"q": "quit", "exit": "quit", "h": "help", "?": "help", "shapes": "shape"}
_LEAVING = frozenset({"exit", "quit", "exit()", "quit()"})


class Entry(Struct, frozen=True):
    """What was entered: a cell, a command with its argument, a question, or nothing.

    A `problem` says why it cannot be carried out.
    """

    kind: Literal["nothing", "cell", "command", "question", "problem"]
    text: str = ""
    command: str = ""
    deeply: bool = False
    problem: str = ""


def read_entry(text: str) -> Entry:
    """Tell what was entered."""
    stripped = text.strip()
    if not stripped:
        return Entry("nothing")
    if stripped in _LEAVING:
        return Entry("command", command="quit")
    if "\n" not in stripped:
        if stripped.startswith(":"):
            return _read_command(stripped[1:])
        if stripped.startswith("?") or stripped.endswith("?"):
            return _read_question(stripped)
    return Entry("cell", text)


def _read_command(text: str) -> Entry:
    word, _, rest = text.strip().partition(" ")
    name = _ALSO.get(word, word)
    command = COMMANDS.get(name)
    rest = rest.strip()
    if command is None:
        return Entry("problem", problem=_unknown(word))
    if command.takes == "call" and not rest:
        return Entry("problem", problem=f"`:{name}` needs a call: `:{name} {command.usage}`.")
    if command.takes == "nothing" and rest:
        return Entry("problem", problem=f"`:{name}` takes nothing after it.")
    if command.in_worker and rest:
        broken = _syntax_problem(rest)
        if broken:
            return Entry("problem", problem=broken)
    return Entry("command", rest, name)


def _unknown(word: str) -> str:
    if not word:
        return "A command's name is missing. `:help` lists them."
    close = get_close_matches(word, [*COMMANDS], n=2, cutoff=0.5)
    close += [name for name in COMMANDS if name.startswith(word) and name not in close]
    meant = " or ".join(f"`:{name}`" for name in close[:2])
    ask = f"Did you mean {meant}?" if meant else "`:help` lists them."
    return f"There is no command `:{word[:40]}`. {ask}"


def _syntax_problem(text: str) -> str:
    try:
        ast.parse(text, mode="eval")
    except SyntaxError as error:
        return f"Python cannot read `{text[:60]}`: {error.msg}."
    except (ValueError, MemoryError, RecursionError):
        return "Python cannot read that."
    return ""


def _read_question(text: str) -> Entry:
    subject = text.strip("? ")
    deeply = "??" in text
    if not subject:
        return Entry("command", command="help")
    if _syntax_problem(subject):
        return Entry("problem", problem=f"`?` takes a name, such as `?jnp.sum`: not `{subject}`.")
    return Entry("question", subject, deeply=deeply)


# ---------------------------------------------------------------- what a command looks at


class OperandExpression(Struct, frozen=True):
    """An expression as a command sees it: a function and its arguments, or neither."""

    function: str = ""
    arguments: tuple[str, ...] = ()
    keywords: tuple[tuple[str, str], ...] = ()


def read_subject(source: str) -> OperandExpression | None:
    """Take a call apart; None for an expression that is no plain call."""
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
