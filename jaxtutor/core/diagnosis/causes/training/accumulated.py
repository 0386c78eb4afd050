"""Finds gradients that a loop adds up, while the step after it takes those of the last part."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.source import Module, bound_names, names_in
from jaxtutor.core.diagnosis.reading.calls import calls_in, method_of, passed_arguments
from jaxtutor.core.diagnosis.reading.functions import block_of
from jaxtutor.core.diagnosis.reading.names import load_sites

_STEPS = ("update", "apply_gradients")


class LastPart(Finding, frozen=True, kw_only=True):
    """A gradient of the last part that is passed on in the place of `total`."""

    total: str


def read_accumulated(module: Module) -> Iterator[LastPart]:
    """Yield each gradient of the last part that is passed on in place of the unread total."""
    for loop in (n for n in module.nodes if isinstance(n, ast.For)):
        for statement in loop.body:
            total = _total(statement)
            if total is None or not _is_unread(module, loop, statement, total):
                continue
            parts = names_in(statement) & _made_in(loop, statement) - {total}
            for name in _gradients_used(module, loop, parts):
                facts = {"name": total, "argument": name.id}
                yield LastPart(None, facts, "accumulated", module=module, node=name, total=total)


def _total(statement: ast.stmt) -> str | None:
    """Return the name that a statement adds something to."""
    match statement:
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add()):
            return name
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in names_in(value):
            return name
    return None


def _is_unread(module: Module, loop: ast.For, addition: ast.stmt, name: str) -> bool:
    """Return whether nothing but its own addition reads a total that starts before the loop."""
    scope = module.scope(loop)
    inside = set(ast.walk(addition))
    reads = [site for site in load_sites(scope, name) if site not in inside]
    block = block_of(module, loop)
    before = block[: block.index(loop)] if loop in block else []
    return not reads and any(name in bound_names(s) for s in before)


def _made_in(loop: ast.For, addition: ast.stmt) -> set[str]:
    """Return the names that a loop binds before it adds them up."""
    before = loop.body[: loop.body.index(addition)]
    return {name for statement in before for name in bound_names(statement)}


def _gradients_used(module: Module, loop: ast.For, names: set[str]) -> Iterator[ast.Name]:
    """Yield the names that the optimizer gets after the loop, before they are bound again."""
    block = block_of(module, loop)
    for statement in block[block.index(loop) + 1 :] if loop in block else []:
        for call in (n for n in calls_in(statement)):
            given = passed_arguments(call)
            if method_of(call) in _STEPS:
                yield from (n for n in given if isinstance(n, ast.Name) and n.id in names)
        names = names - bound_names(statement)


def pass_total(found: LastPart) -> Drafts:
    """Pass the total on in place of the last part."""
    yield Draft(found.module).replace(found.node, found.total)
