"""Finds iterators that are gone through a second time, when they have nothing left."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.rules import Rule, read
from jaxtutor.core.diagnosis.engine.source import Module, own_nodes
from jaxtutor.core.diagnosis.reading.calls import argument_for
from jaxtutor.core.diagnosis.reading.functions import called_function, parameter_names
from jaxtutor.core.diagnosis.reading.loops import paths_bound_in
from jaxtutor.core.diagnosis.reading.names import load_sites

_BUILT_IN = ("zip", "map", "filter", "enumerate", "reversed")
_TO_THE_END = ("list", "tuple", "set", "dict", "sum", "min", "max", "sorted")
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp)
_NOT_EACH_TIME = (ast.If, ast.IfExp, ast.BoolOp, ast.While, ast.Match, ast.Try, ast.Lambda)


class UsedUp(Finding, frozen=True, kw_only=True):
    """The expression `node` that makes an iterator, which is used up before its last use."""

    node: ast.expr


def read_used_up(module: Module) -> Iterator[UsedUp]:
    """Yield each iterator that every round of a loop, or two uses in one block, go through.

    It has one name, and is made before the loop.
    """
    for statement in module.nodes:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=made):
                kind, scope = _kind(module, made), module.scope(statement)
            case _:
                continue
        if not kind or len(module.assignments(name, scope)) > 1:
            continue
        uses = [use for use in _whole_uses(module, scope, name) if use.lineno > statement.lineno]
        if found := _again(module, statement, name, uses):
            again, form = found
            facts = {
                "name": name,
                "container": kind,
                "expression": module.text(made),
                "argument": _kept(module, made),
                "line": str(again.lineno),
            }
            yield UsedUp(
                module.location(made), facts, form, module=module, node=made, is_certain=True
            )


def _kind(module: Module, made: ast.expr) -> str:
    """Return what an expression is that gives its values once: a `zip`, a generator; or empty."""
    match made:
        case ast.GeneratorExp():
            return "generator"
        case ast.Call(func=ast.Name(id=name)) if name in _BUILT_IN:
            return "" if module.assignments(name, module.tree) else f"`{name}`"
        case ast.Call(func=ast.Name()) if (called := called_function(module, made)) is not None:
            if called.decorator_list:  # which may return something else
                return ""
            yields = any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own_nodes(called))
            return "generator" if yields else ""
    return ""


def _whole_uses(module: Module, scope: ast.AST, name: str) -> list[ast.stmt | ast.expr]:
    """List what goes through the iterator of a name to its end, in the order of the lines."""
    found = (_whole_use(module, site) for site in load_sites(scope, name))
    uses = [use for use in found if use is not None and module.scope(use) is scope]
    return sorted(uses, key=lambda use: (use.lineno, use.col_offset))


def _whole_use(module: Module, site: ast.expr) -> ast.stmt | ast.expr | None:
    """Return the loop, comprehension or call that goes through a name to the end, if one does."""
    outer = module.parents.get(site)
    match outer:
        case ast.Call(func=ast.Name(id="enumerate"), args=[first]) if first is site:
            return _whole_use(module, outer)
        case ast.Call(func=ast.Name(id=name), args=[first]) if name in _TO_THE_END:
            return outer if first is site else None
        case ast.Call() if isinstance(site, ast.Name):
            return outer if _goes_through(module, outer, site) else None
        case ast.For(iter=source) if source is site:
            return None if _may_end_early(outer) else outer
        case ast.comprehension(iter=source) if source is site:
            made = module.parents.get(outer)
            if isinstance(made, _COMPREHENSIONS):
                return made if made.generators[0] is outer else None
            if isinstance(made, ast.GeneratorExp) and made.generators[0] is outer:
                return _whole_use(module, made)
    return None


def _goes_through(module: Module, call: ast.Call, name: ast.Name) -> bool:
    """Return whether a call passes a name to a function of the file that loops over it."""
    function = called_function(module, call)
    if function is None or not isinstance(call.func, ast.Name):
        return False
    for parameter in parameter_names(function):
        if argument_for(function, call, parameter) is name:
            return any(
                isinstance(line, ast.For)
                and isinstance(line.iter, ast.Name)
                and line.iter.id == parameter
                and not _may_end_early(line)
                for line in function.body
            ) and not module.assignments(parameter, function)
    return False


def _may_end_early(loop: ast.For) -> bool:
    """Return whether a round may be the last: by `break` or `return`."""
    return any(isinstance(node, ast.Break | ast.Return | ast.Yield) for node in own_nodes(loop))


def _again(
    module: Module, made: ast.stmt, name: str, uses: list[ast.stmt | ast.expr]
) -> tuple[ast.stmt | ast.expr, str] | None:
    """Return the use that finds nothing left, and the form: in later rounds, or by itself."""
    for use in uses:
        loop = _round_of(module, use)
        if loop is None or loop in module.ancestors(made) or _may_end_early(loop):
            continue
        if name not in paths_bound_in(loop):
            return use, "rounds"
    blocks = [_block(module, use) for use in uses]
    for earlier, (use, block) in enumerate(zip(uses, blocks, strict=True)):
        if block is not None and block in blocks[:earlier]:
            return use, "twice"
    return None


def _round_of(module: Module, use: ast.AST) -> ast.For | None:
    """Return the loop each round of which reaches a use, whatever the values are."""
    inner = use
    for outer in module.ancestors(use):
        if isinstance(outer, ast.For) and inner in outer.body:
            return outer
        if isinstance(outer, (*_NOT_EACH_TIME, ast.FunctionDef, ast.ClassDef)):
            return None
        inner = outer
    return None


def _block(module: Module, use: ast.AST) -> tuple[int, str] | None:
    """Return the block of statements that reaches a use whenever it runs: its owner and name."""
    inner = use
    for outer in module.ancestors(use):
        for name in ("body", "orelse", "finalbody"):
            statements = getattr(outer, name, None)
            if isinstance(statements, list) and inner in statements:
                return id(outer), name
        if isinstance(outer, _NOT_EACH_TIME):
            return None
        inner = outer
    return None


def _kept(module: Module, made: ast.expr) -> str:
    """Write an iterator as a list: `[x for x in xs]`, or `list(zip(xs, ys))`."""
    text = module.text(made)
    if isinstance(made, ast.GeneratorExp):
        return f"[{text.removeprefix('(').removesuffix(')')}]"
    return f"list({text})"


def keep_values(found: UsedUp) -> Drafts:
    """Keep the values in a list."""
    yield Draft(found.module).replace(found.node, found.facts["argument"]).certain()


RULES = (Rule("iterator-used-up", read(read_used_up), keep_values),)
