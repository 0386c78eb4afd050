"""Names the loop in which a submission was still running when its time was over.

Nothing of a stopped process is left to look at, so the loop is read from the source: of what the
lesson's function needs, a `while` of Python, or `lax.while_loop` where compiled code ran.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from jaxtutor.core.data.verdicts import CheckResult, Verdict
from jaxtutor.core.judging.definitions import needed_by

TRACED = ("import", "function", "jaxpr")
"""Stages in which Python runs, and no compiled loop."""

LONGEST = 48
"""Characters of a loop that are quoted."""

MOST_LOOPS = 3
"""With more loops, their lines say nothing."""


class Loop(Struct, frozen=True):
    """A loop without a fixed number of rounds: its line, and its first line of text."""

    line: int
    text: str
    is_compiled: bool


def name_loop(verdict: Verdict, source: str, function: str) -> Verdict:
    """Return a verdict on a submission that did not end, with the loop that it was in."""
    failed = next((check for check in verdict.checks if check.status == "failed"), None)
    if failed is None:
        return verdict
    is_traced = failed.name in TRACED
    found = [it for it in loops(source, function) if not (it.is_compiled and is_traced)]
    if not 0 < len(found) <= MOST_LOOPS:
        return verdict
    named = _name(failed, found)
    checks = tuple(named if check is failed else check for check in verdict.checks)
    return replace(verdict, checks=checks, headline=named.title)


def _name(failed: CheckResult, found: list[Loop]) -> CheckResult:
    title = f"{failed.title.removeprefix('It was ').capitalize()}: {_words(found)}"
    asks = "What makes the condition of the loop false, and does each round come closer to that?"
    return replace(failed, title=title, detail=f"{failed.detail}. {asks}")


def say_running(source: str, function: str, seconds: float) -> str:
    """Say that a submission is still running, when it is stopped, and in which loop it may be."""
    found = loops(source, function)
    ends = f"Your file is still running. It is stopped after {seconds:g} s."
    if not 0 < len(found) <= MOST_LOOPS:
        return ends
    return f"{ends} If a loop does not end, it is {_words(found)}."


def _words(found: Sequence[Loop]) -> str:
    """Name one loop, or the lines of several."""
    if len(found) == 1:
        return f"the loop `{found[0].text}` in line {found[0].line}"
    lines = ", ".join(str(it.line) for it in found[:-1])
    return f"one of the loops in lines {lines} and {found[-1].line}"


def loops(source: str, function: str) -> tuple[Loop, ...]:
    """Return the loops that may go on forever, in the definitions that a function needs."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    needed = needed_by(source, function)
    found = {loop for it in tree.body if _runs(it, needed) for loop in _loops_in(it)}
    return tuple(sorted(found, key=lambda it: it.line))


def _runs(statement: ast.stmt, needed: frozenset[str]) -> bool:
    """Return whether a statement runs at the import, or when the lesson's function is called."""
    if not needed or not isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return True
    return statement.name in needed


def _loops_in(statement: ast.stmt) -> Iterator[Loop]:
    for node in ast.walk(statement):
        match node:
            case ast.While(test=test):
                yield Loop(node.lineno, _cut(f"while {ast.unparse(test)}"), False)
            case ast.Call(func=ast.Attribute(attr="while_loop") | ast.Name(id="while_loop")):
                yield Loop(node.lineno, _cut(ast.unparse(node)), True)


def _cut(text: str) -> str:
    first = text.partition("\n")[0]
    return first if len(first) <= LONGEST else f"{first[: LONGEST - 1]}…"
