"""Finds solutions of Diffrax at the end of an array of times, all of which were meant."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import CallFinding
from jaxtutor.core.diagnosis.engine.rules import Rule, read
from jaxtutor.core.diagnosis.engine.source import Module, bound_names, path_of
from jaxtutor.core.diagnosis.reading.calls import argument, keyword_of
from jaxtutor.core.diagnosis.reading.names import last_name


class UnsavedTimes(CallFinding, frozen=True, kw_only=True):
    """A solve that gets the first and the last of some times."""

    times: ast.expr


def read_unsaved_times(module: Module) -> Iterator[UnsavedTimes]:
    """Yield each solve from `ts[0]` to `ts[-1]` without `saveat` whose whole `ys` is used."""
    for call in module.calls:
        times = _times(module, call)
        if times is not None and _uses_all(module, call):
            facts = {"name": module.text(times)}
            yield UnsavedTimes(module=module, node=call, facts=facts, times=times)


def _times(module: Module, call: ast.Call) -> ast.expr | None:
    """Return the array of which a solve gets the first and the last time, and nothing between."""
    if module.dotted(call.func) != "diffrax.diffeqsolve" or keyword_of(call, "saveat") is not None:
        return None
    if len(call.args) > 7 or any(k.arg is None for k in call.keywords):
        return None
    match argument(call, 2, "t0"), argument(call, 3, "t1"):
        case (
            ast.Subscript(value=first, slice=ast.Constant(value=0)),
            ast.Subscript(value=last, slice=ast.UnaryOp(op=ast.USub(), operand=ast.Constant())),
        ):
            return first if ast.dump(first) == ast.dump(last) else None
    return None


def _uses_all(module: Module, call: ast.Call) -> bool:
    """Return whether the program takes `ys` as it is, and not the only time that it has."""
    statement = module.statement(call)
    names = bound_names(statement) if isinstance(statement, ast.Assign) else set()
    found = [
        n
        for n in ast.walk(module.scope(call))
        if isinstance(n, ast.Attribute) and n.attr == "ys"
        if n.value is call or path_of(n.value) in names
    ]
    return bool(found) and not any(_takes_one(module, n) for n in found)


def _takes_one(module: Module, node: ast.Attribute) -> bool:
    """Return whether the only time of a solution is taken out."""
    parent = module.parents.get(node)
    match parent:
        case ast.Subscript() | ast.Attribute():
            return True
        case ast.Assign(targets=[ast.Tuple() | ast.List()]):
            return True
        case ast.Call(func=func):
            last = last_name(func)
            return last in ("squeeze", "tree_map", "map", "reshape", "ravel")
        case ast.Assign(targets=[ast.Name(id=name)]):
            nodes = ast.walk(module.scope(node))
            reads = [n for n in nodes if isinstance(n, ast.Name) and n.id == name]
            parents = [module.parents.get(n) for n in reads if isinstance(n.ctx, ast.Load)]
            return any(isinstance(p, ast.Subscript | ast.Attribute) for p in parents)
    return False


def save_times(found: UnsavedTimes) -> Drafts:
    """Save the solution at the times."""
    module, call = found.module, found.node
    draft = Draft(module)
    save = draft.name("diffrax.SaveAt")
    given: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
    last = max(given, key=lambda n: (n.end_lineno or 0, n.end_col_offset or 0))
    text = f"saveat={save}(ts={module.text(found.times)})"
    if module.span(last).line == module.span(call).line:
        yield draft.after(last, f", {text}").certain()
        return
    line = module.lines[module.span(last).line - 1]
    indent = line[: len(line) - len(line.lstrip())]
    yield draft.after(last, f",\n{indent}{text}").certain()


RULES = (Rule("times-not-saved", read(read_unsaved_times), save_times),)
