"""Finds gradients that are clipped or otherwise changed, and then not used."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.training.updates import TREE_MAPS
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, own_nodes, path_of
from jaxtutor.core.diagnosis.reading.calls import calls_in
from jaxtutor.core.diagnosis.reading.functions import result_of
from jaxtutor.core.diagnosis.reading.names import last_part, load_sites

_STEPS = ("update", "apply_gradients")
_REDUCING = frozenset(
    "sum mean max min norm global_norm std var any all isnan isfinite vdot dot shape size".split()
)


class UnchangedUsed(Finding, frozen=True, kw_only=True):
    """A gradient that is used although the program computes `changed` from it."""

    changed: str


def read_unread(module: Module) -> Iterator[UnchangedUsed]:
    """Yield each gradient that an optimizer gets although the program computes a changed one."""
    for scope in (f for f in module.functions if not isinstance(f, ast.Lambda)):
        for statement in own_nodes(scope):
            changed = _changed_gradient(module, statement)
            if changed is None or not isinstance(statement, ast.stmt):
                continue
            new, old = changed
            used = _step_with(scope, old, statement.lineno)
            if used is not None and not load_sites(scope, new) and not _is_bound_again(scope, old):
                facts = {"name": new, "argument": old}
                yield UnchangedUsed(None, facts, "unread", module=module, node=used, changed=new)


def _changed_gradient(module: Module, node: ast.AST) -> tuple[str, str] | None:
    """Return the name of a changed tree and that of the tree from which it is computed."""
    match node:
        case ast.Assign(targets=[ast.Name(id=new)], value=ast.Call() as call):
            pass
        case _:
            return None
    if new.startswith("_"):
        return None
    if module.dotted(call.func) in TREE_MAPS and len(call.args) > 1:
        old = path_of(call.args[1])
        is_change = isinstance(call.args[0], ast.Lambda) and not _reduces(call.args[0])
    else:
        function = module.function_named(path_of(call.func) or "")
        end = result_of(function) if function is not None else None
        is_change = isinstance(end, ast.Call) and module.dotted(end.func) in TREE_MAPS
        is_change = is_change and not _reduces(end)
        old = path_of(call.args[0]) if call.args else None
    if not is_change or old is None or "." in old or old == new:
        return None
    return new, old


def _reduces(node: ast.AST | None) -> bool:
    """Return whether an expression computes one number of a tree, such as a norm."""
    nodes = ast.walk(node) if node is not None else ()
    names = (path_of(n) for n in nodes if isinstance(n, ast.Name | ast.Attribute))
    return any(last_part(name) in _REDUCING for name in names)


def _step_with(scope: FunctionNode, name: str, line: int) -> ast.Name | None:
    """Return a name as the gradient that an optimizer gets after a line."""
    for call in (n for n in calls_in(scope) if n.lineno > line):
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in _STEPS:
            continue
        given = [*call.args, *(k.value for k in call.keywords if k.arg == "grads")]
        found = [n for n in given if isinstance(n, ast.Name) and n.id == name]
        if found:
            return found[0]
    return None


def _is_bound_again(scope: FunctionNode, name: str) -> bool:
    stores = [n for n in ast.walk(scope) if isinstance(n, ast.Name) and n.id == name]
    return sum(isinstance(n.ctx, ast.Store) for n in stores) > 1


def pass_changed(found: UnchangedUsed) -> Drafts:
    """Give the optimizer the changed gradient."""
    yield Draft(found.module).replace(found.node, found.changed).certain()
