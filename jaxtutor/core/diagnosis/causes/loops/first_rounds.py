"""Finds loops that end in their first round, because their body ends with `return`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.rules import Rule, read
from jaxtutor.core.diagnosis.engine.source import Module, bound_names, own_nodes, path_of
from jaxtutor.core.diagnosis.engine.transforms import name_of
from jaxtutor.core.diagnosis.reading.loops import Loop, updates_itself


class EndsAtOnce(Finding, frozen=True, kw_only=True):
    """The `return` at the end of the body of a `loop`."""

    node: ast.Return
    loop: Loop


def read_first_rounds(module: Module) -> Iterator[EndsAtOnce]:
    """Yield each `return` at the end of a loop's body that no round can pass by.

    What the body adds to, or computes from itself, says that more rounds are meant.
    """
    for loop in module.nodes:
        if not isinstance(loop, Loop) or not isinstance(end := loop.body[-1], ast.Return):
            continue
        if _goes_on(loop) or not (kept := _kept_over_rounds(loop)):
            continue
        facts = {"name": kept, "function": name_of(module.function(loop))}
        yield EndsAtOnce(
            module.location(end), facts, module=module, node=end, loop=loop, is_certain=True
        )


def _goes_on(loop: Loop) -> bool:
    """Return whether a round may end before the last statement: by `continue`, or an exception."""
    return any(isinstance(node, ast.Continue | ast.Yield) for node in own_nodes(loop))


def _kept_over_rounds(loop: Loop) -> str:
    """Return what a body adds to, or computes from itself, and does not begin again."""
    begun = set[str]()
    for statement in loop.body:
        match statement:
            case ast.AugAssign(target=target):
                name = path_of(target) or ""
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr="append"))):
                name = path_of(owner) or ""
            case ast.Assign():
                bound = bound_names(statement)
                kept = sorted(n for n in bound if updates_itself(statement, n))
                name = next((n for n in kept if n not in begun), "")
            case _:
                name = ""
        if name and name.partition(".")[0] not in begun:
            return name
        begun |= bound_names(statement)
    return ""


def return_behind(found: EndsAtOnce) -> Drafts:
    """Move the `return` behind the loop."""
    module, end, loop = found.module, found.node, found.loop
    if end.lineno == end.end_lineno and not loop.orelse:
        indent = " " * loop.col_offset
        draft = Draft(module).add_lines(end.lineno + 1, f"{indent}{module.text(end)}")
        yield draft.drop(end).certain()


RULES = (Rule("loop-ends-in-first-round", read(read_first_rounds), return_behind),)
