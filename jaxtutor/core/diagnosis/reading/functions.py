"""Reads functions and blocks: parameters, results, the statements around one."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.engine.source import Definition, FunctionNode, Module, own_nodes
from jaxtutor.core.diagnosis.reading.names import last_name


def parameters(function: FunctionNode | None) -> list[ast.arg]:
    """List a function's parameters in order: `x`, `n`, `rest` of `def f(x, n=2, *rest)`."""
    if function is None:
        return []
    given = function.args
    rest = [a for a in (given.vararg, given.kwarg) if a is not None]
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *rest]


def parameter_names(function: FunctionNode | None) -> list[str]:
    """List the names of a function's parameters: `"x"`, `"n"` of `def f(x, *, n=2)`."""
    return [parameter.arg for parameter in parameters(function)]


def called_function(module: Module, call: ast.Call) -> Definition | None:
    """Find the one function of the file with the name that a call uses: `step` of `m.step(x)`."""
    return module.function_named(last_name(call.func))


def is_docstring(statement: ast.stmt) -> bool:
    """Return whether a statement is a constant alone, such as `\"\"\"Doubles x.\"\"\"`."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def declared_fields(owner: ast.ClassDef) -> list[str]:
    """List the annotated names in the body of a class: `w` of `w: jax.Array`."""
    return [
        line.target.id
        for line in owner.body
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)
    ]


def returned(function: FunctionNode) -> list[ast.expr | None]:
    """List what a function returns: `x` of `return x`, None of a bare `return`."""
    if isinstance(function, ast.Lambda):
        return [function.body]
    return [n.value for n in returns_of(function)]


def returns_of(function: FunctionNode) -> list[ast.Return]:
    """List the statements `return x` of a function, not those of functions inside it."""
    if isinstance(function, ast.Lambda):
        return []
    return [n for n in own_nodes(function) if isinstance(n, ast.Return)]


def result_of(function: FunctionNode) -> ast.expr | None:
    """Return `2 * x` of `lambda x: 2 * x`, or of a function's only `return 2 * x`."""
    if isinstance(function, ast.Lambda):
        return function.body
    ends = returns_of(function)
    return ends[0].value if len(ends) == 1 else None


def block_of(module: Module, statement: ast.stmt) -> list[ast.stmt]:
    """Return the block of a statement: `x = 1` and `y = 2` in the body of one `if`."""
    parent = module.parents.get(statement)
    for name in ("body", "orelse", "finalbody", "handlers"):
        block = getattr(parent, name, None)
        if isinstance(block, list) and statement in block:
            return block
    return []
