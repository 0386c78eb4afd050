"""Finds gradients taken with respect to one argument and applied to another."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.families.training.updates import Found
from jaxtutor.core.diagnosis.source import Module, path_of

_GRADS = ("jax.grad", "jax.value_and_grad", "equinox.filter_grad", "equinox.filter_value_and_grad")


def gradient_of_input(module: Module, statement: ast.Assign | ast.AugAssign) -> Iterator[Found]:
    """`w = w - lr * jax.grad(loss)(x, w)`: the gradient is of x, and it moves w."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    name, step = path_of(target), _subtracted(statement)
    if name is None or step is None:
        return
    for call in _gradients_in(module, step, statement):
        given = [path_of(a) for a in call.args]
        if name in given[1:] and given[0] != name:
            first = module.text(call.args[0])
            facts = {"name": name, "argument": name, "container": first}
            yield "grad-wrong-argnum", module.location(call.func), facts


def _subtracted(statement: ast.Assign | ast.AugAssign) -> ast.expr | None:
    """Return what a statement subtracts from its own target."""
    match statement:
        case ast.AugAssign(op=ast.Sub(), value=value):
            return value
        case ast.Assign(targets=[target], value=ast.BinOp(left=left, op=ast.Sub(), right=right)):
            same = path_of(target) is not None and path_of(left) == path_of(target)
            return right if same else None
    return None


def _gradients_in(module: Module, step: ast.expr, where: ast.stmt) -> Iterator[ast.Call]:
    """List the calls of a gradient of argument 0 that an expression is computed from."""
    for node in ast.walk(step):
        if isinstance(node, ast.Call) and _is_gradient(module, node.func, where):
            yield node
        elif isinstance(node, ast.Name):
            bound = module.assignments(node.id, module.scope(where))
            before = [s for s in bound if s.lineno < where.lineno and isinstance(s, ast.Assign)]
            value = before[-1].value if before and isinstance(before[-1], ast.Assign) else None
            if isinstance(value, ast.Call) and _is_gradient(module, value.func, where):
                yield value


def _is_gradient(module: Module, func: ast.expr, where: ast.AST) -> bool:
    """Return whether a callee is `jax.grad(f)` without argnums, or a name for it."""
    if isinstance(func, ast.Call):
        has_argnums = len(func.args) > 1 or any(k.arg == "argnums" for k in func.keywords)
        return module.dotted(func.func) in _GRADS and not has_argnums
    if not isinstance(func, ast.Name):
        return False
    bound = [
        s.value
        for scope in {module.scope(where), module.tree}
        for s in module.assignments(func.id, scope)
        if isinstance(s, ast.Assign)
    ]
    return len(bound) == 1 and isinstance(bound[0], ast.Call) and _is_gradient_of(module, bound[0])


def _is_gradient_of(module: Module, call: ast.Call) -> bool:
    """Return whether a call makes a gradient, also inside `jax.jit(…)`."""
    if module.dotted(call.func) == "jax.jit" and call.args and isinstance(call.args[0], ast.Call):
        call = call.args[0]
    has_argnums = len(call.args) > 1 or any(k.arg == "argnums" for k in call.keywords)
    return module.dotted(call.func) in _GRADS and not has_argnums
