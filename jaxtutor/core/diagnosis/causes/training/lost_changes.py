"""Finds changes of an argument that a compiled function throws away."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.training.updates import assigned_elements
from jaxtutor.core.diagnosis.engine.matches import Finding, finding
from jaxtutor.core.diagnosis.engine.rules import TRAINING, Rule, read
from jaxtutor.core.diagnosis.engine.source import (
    Definition,
    FunctionNode,
    Module,
    bound_names,
    names_in,
    own_nodes,
    path_of,
)
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform, applied, static_names
from jaxtutor.core.diagnosis.reading.functions import parameter_names, parameters
from jaxtutor.core.diagnosis.reading.loops import Loop
from jaxtutor.core.diagnosis.reading.values import is_string

_COPYING_JITS = ("jax.jit", "jax.pmap", "equinox.filter_jit")


def lost_in_jit(module: Module) -> Iterator[Finding]:
    """Find the change of an argument of a compiled function that nothing returns or reads."""
    if any(isinstance(n, ast.keyword) and n.arg == "hijax" for n in module.nodes):
        return  # `nnx.var_defaults(hijax=True)`: every transformation changes such variables
    for item in applied(module):
        function = item.function
        if item.kind != "jit" or not isinstance(function, Definition) or not _copies(item):
            continue
        static = static_names(item) | {"self", "cls"}
        for name in (a.arg for a in parameters(function) if a.arg not in static):
            changes = list(_argument_changes(module, function, name))
            if changes and _is_lost(module, function, name, changes[-1]):
                facts = {"name": name, "argument": name, "function": function.name}
                yield finding(module, changes[-1], facts)


def _copies(item: AppliedTransform) -> bool:
    """Return whether a compiled function works on copies of its arguments; `nnx.jit` does not."""
    node = item.node
    parts = [node, *([node.func, *node.args[:1]] if isinstance(node, ast.Call) else [])]
    return any(item.module.dotted(part) in _COPYING_JITS for part in parts)


def _argument_changes(module: Module, function: Definition, name: str) -> Iterator[ast.stmt]:
    """List the statements that change an argument: `params["w"] = …`, `optimizer.update(…)`."""
    uses_nnx = any(path.startswith("flax.nnx") for path in module.imports.values())
    for node in own_nodes(function):
        is_stored = any(_stores_into(part, name) for part in _assigned_parts(node))
        is_updated = (
            isinstance(node, ast.Expr) and uses_nnx and _is_optimizer_update(node.value, name)
        )
        if isinstance(node, ast.stmt) and (is_stored or is_updated):
            yield node


def _assigned_parts(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return [element for target in node.targets for element in assigned_elements(target)]
    return [node.target] if isinstance(node, ast.AugAssign) else []


def _is_optimizer_update(call: ast.expr, name: str) -> bool:
    """Return whether a call is `name.update(…)`, which changes an `nnx.Optimizer`."""
    return isinstance(call, ast.Call) and path_of(call.func) == f"{name}.update"


def _stores_into(target: ast.expr, name: str) -> bool:
    """Return whether a store goes into a dict or an object; `ref[0] = …` may be a `jax.Ref`."""
    inner: ast.expr | None = None
    while isinstance(target, ast.Subscript | ast.Attribute):
        inner, target = target, target.value
    if not isinstance(target, ast.Name) or target.id != name or inner is None:
        return False
    key = inner.slice if isinstance(inner, ast.Subscript) else None
    return key is None or is_string(key)


def _is_lost(module: Module, function: Definition, name: str, change: ast.stmt) -> bool:
    """Return whether an argument is not used after its last change, nor under another name."""
    if any(name in bound_names(n) for n in own_nodes(function)):
        return False
    around = list(_up_to(module, change))
    if any(isinstance(n, Loop | ast.If | ast.With | ast.Try) for n in around):
        return False
    statements = [n for n in own_nodes(function) if isinstance(n, ast.stmt)]
    inner = [n for n in ast.walk(function) if isinstance(n, FunctionNode) and n is not function]
    later = [n for n in statements if n.lineno > (change.end_lineno or change.lineno)]
    if any(name in names_in(n) for n in later) or not _is_hidden(name, inner):
        return False
    values = [n.value for n in statements if isinstance(n, ast.Assign)]
    return not any(isinstance(v, ast.Name) and v.id == name for v in values)


def _is_hidden(name: str, inner: list[FunctionNode]) -> bool:
    """Return whether the inner functions that use a name have a parameter of that name."""
    using = [f for f in inner if name in names_in(f)]
    return all(name in set(parameter_names(f)) for f in using)


def _up_to(module: Module, node: ast.AST) -> Iterator[ast.AST]:
    """Walk outwards as far as the function."""
    for outer in module.ancestors(node):
        if isinstance(outer, FunctionNode):
            return
        yield outer


RULES = (Rule("changed-argument-lost", read(lost_in_jit, imports=TRAINING)),)
