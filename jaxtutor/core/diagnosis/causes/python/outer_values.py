"""Finds parameters and loop variables that are not read, beside the outer value they stand for."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.rules import TRAINING, Rule, read
from jaxtutor.core.diagnosis.engine.source import (
    FunctionNode,
    Module,
    bound_names,
)
from jaxtutor.core.diagnosis.engine.transforms import applied, name_of
from jaxtutor.core.diagnosis.observed.state import names_of
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import parameters
from jaxtutor.core.diagnosis.reading.names import iterated, load_sites

_ITEMS = ("scan", "map")
"""Transformations that pass the items of an array as the last parameter, after a carry."""
_WHOLE = frozenset(("len", "range", "enumerate", "zip", "print", "isinstance", "type"))
"""Functions that read of a sequence its length, or that it is one."""


class OuterRead(Finding, frozen=True, kw_only=True):
    """The reads of an outer value in the place of `name`."""

    used: tuple[ast.Name, ...]
    name: str


# ---------------------------------------------------------------- functions


def read_functions(module: Module) -> Iterator[OuterRead]:
    """Yield each outer value that a function reads in the place of a parameter.

    The function never reads the parameter, and a call passes that value for it.
    """
    for function in module.functions:
        for place, parameter in enumerate(_positional(function)):
            name = parameter.arg
            if name.startswith("_") or name in ("self", "cls") or load_sites(function, name):
                continue
            for given in _given(module, function, place, name):
                used = _outer_reads(module, function, given)
                if used:
                    facts = {
                        "function": name_of(function) or "lambda",
                        "name": name,
                        "argument": given.id,
                        "line": str(given.lineno),
                    }
                    yield _outer_value(module, used, facts, "function")
                    break


def _positional(function: FunctionNode) -> list[ast.arg]:
    return [*function.args.posonlyargs, *function.args.args]


def _given(module: Module, function: FunctionNode, place: int, name: str) -> Iterator[ast.Name]:
    """Yield the variables that calls pass for a parameter: of the function, or transformed."""
    own = {name_of(function), *names_of(module, function)} - {""}
    made = [item for item in applied(module) if item.function is function]
    for call in module.calls:
        is_own = isinstance(call.func, ast.Name) and call.func.id in own
        passed = None
        if is_own or any(item.node is call.func for item in made):
            passed = argument(call, place, name)
        elif any(item.node is call and item.kind in _ITEMS for item in made):
            count = len(_positional(function))
            passed = argument(call, count, "xs") if place == count - 1 else None
        if isinstance(passed, ast.Name):
            yield passed


def _outer_reads(module: Module, function: FunctionNode, given: ast.Name) -> tuple[ast.Name, ...]:
    """Return where a function reads a variable of an outer scope that a call passes to it."""
    if given.id in {p.arg for p in parameters(function)} or module.scope(given) is function:
        return ()
    if any(given.id in bound_names(n) for n in ast.walk(function)):
        return ()
    outer = [s for s in (module.tree, *module.ancestors(function)) if s is not function]
    if not any(_is_value(module, given.id, scope) for scope in outer):
        return ()
    if function in module.ancestors(given):
        return ()
    return tuple(n for n in load_sites(function, given.id) if _is_whole(module, n))


def _is_value(module: Module, name: str, scope: ast.AST) -> bool:
    """Return whether a scope assigns a name: functions and imports do not count."""
    bound = module.assignments(name, scope)
    own = isinstance(scope, FunctionNode) and name in {p.arg for p in parameters(scope)}
    return own or any(isinstance(s, ast.Assign | ast.For | ast.AnnAssign) for s in bound)


# ---------------------------------------------------------------- loops


def read_items(module: Module) -> Iterator[OuterRead]:
    """Yield each sequence that a loop reads whole in the place of its item."""
    for node in module.nodes:
        if isinstance(node, ast.For):
            yield from _items(module, node, node, module.scope(node), node.body)
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
            one = node.generators[0]
            rest = [part for other in node.generators[1:] for part in (other.iter, *other.ifs)]
            yield from _items(module, node, one, node, [node.elt, *one.ifs, *rest])


def _items(
    module: Module,
    loop: ast.For | ast.ListComp | ast.SetComp | ast.GeneratorExp,
    over: ast.For | ast.comprehension,
    scope: ast.AST,
    body: Sequence[ast.AST],
) -> Iterator[OuterRead]:
    """Yield what a loop goes through and reads whole, where nothing in a scope reads the item."""
    names = {n.id for n in ast.walk(over.target) if isinstance(n, ast.Name)}
    bound = {name for part in body for node in ast.walk(part) for name in bound_names(node)}
    for name in sorted(names):
        array = iterated(over.target, over.iter, name)
        if name.startswith("_") or not isinstance(array, ast.Name) or load_sites(scope, name):
            continue
        sites = (site for part in body for site in load_sites(part, array.id))
        used = tuple(site for site in sites if _is_whole(module, site))
        if used and array.id not in names | bound:
            facts = {"name": name, "argument": array.id, "line": str(loop.lineno)}
            yield _outer_value(module, used, facts, "item")


def _is_whole(module: Module, name: ast.Name) -> bool:
    """Return whether an expression reads a whole value, and not a part, its shape or its length."""
    match module.parents.get(name):
        case ast.Subscript() | ast.Attribute():
            return False
        case ast.Call(func=func, args=args) if name in args:
            return module.text(func) not in _WHOLE
        case ast.Call(func=func) if func is name:
            return False
    return True


def _outer_value(
    module: Module, used: tuple[ast.Name, ...], facts: dict[str, str], form: str
) -> OuterRead:
    return OuterRead(
        None,
        facts,
        form,
        module=module,
        node=used[0],
        is_certain=False,
        used=used,
        name=facts["name"],
    )


def read_own(found: OuterRead) -> Drafts:
    """Read the parameter, or the item, in the place of the outer value."""
    draft = Draft(found.module)
    for name in found.used:
        draft.replace(name, found.name)
    yield draft


def has_no_gradient(found: OuterRead, others: Sequence[tuple[str, Finding]]) -> bool:
    """Return whether a gradient that is zero for this reason was found at the same line."""
    line = found.location.span.line
    return any(slug == "zero-gradient" and o.location.span.line == line for slug, o in others)


RULES = (
    Rule(
        "outer-value-read",
        read(read_functions, read_items, imports=TRAINING),
        read_own,
        is_echo=has_no_gradient,
    ),
)
