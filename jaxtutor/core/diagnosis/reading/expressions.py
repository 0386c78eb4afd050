"""Reads calls, functions and blocks: arguments, parameters, results, what a name stands for."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, own_nodes, path_of


def parameters(function: FunctionNode | None) -> list[ast.arg]:
    """List the parameters of a function in the order of its signature."""
    if function is None:
        return []
    given = function.args
    rest = [a for a in (given.vararg, given.kwarg) if a is not None]
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *rest]


def argument(call: ast.Call, position: int | None, *names: str) -> ast.expr | None:
    """Find an argument of a call by its position or one of its names."""
    for keyword in call.keywords:
        if keyword.arg in names:
            return keyword.value
    if position is None or len(call.args) <= position:
        return None
    if any(isinstance(a, ast.Starred) for a in call.args[: position + 1]):
        return None
    return call.args[position]


def keyword_of(call: ast.Call, name: str) -> ast.keyword | None:
    """Find a keyword argument of a call."""
    return next((k for k in call.keywords if k.arg == name), None)


def keyword_value(call: ast.Call, name: str) -> ast.expr | None:
    """Find what a call passes by a keyword."""
    found = keyword_of(call, name)
    return found.value if found is not None else None


def argument_for(function: FunctionNode, call: ast.Call, name: str) -> ast.expr | None:
    """Find what a call gives to a parameter of the learner's function."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    names = [a.arg for a in parameters(function)]
    is_implied = getattr(function, "name", "") in ("__init__", "__call__")
    if names[:1] == ["self"] and (is_implied or isinstance(call.func, ast.Attribute)):
        names = names[1:]
    position = names.index(name) if name in names else len(call.args)
    if any(isinstance(a, ast.Starred) for a in call.args):
        return None
    return call.args[position] if position < len(call.args) else None


def calls_to(module: Module, name: str) -> Iterator[ast.Call]:
    """List the calls of a function by its plain name or as a method."""
    for node in module.nodes:
        if isinstance(node, ast.Call):
            written = path_of(node.func)
            if written is not None and written.rpartition(".")[2] == name:
                yield node


def returned(function: FunctionNode) -> list[ast.expr | None]:
    """List what a function returns; None stands for a bare return."""
    if isinstance(function, ast.Lambda):
        return [function.body]
    return [n.value for n in returns_of(function)]


def returns_of(function: FunctionNode) -> list[ast.Return]:
    """List the return statements of a function, not those of functions inside it."""
    if isinstance(function, ast.Lambda):
        return []
    return [n for n in own_nodes(function) if isinstance(n, ast.Return)]


def result_of(function: FunctionNode) -> ast.expr | None:
    """Return the expression that a function returns, where there is only one."""
    if isinstance(function, ast.Lambda):
        return function.body
    ends = returns_of(function)
    return ends[0].value if len(ends) == 1 else None


def is_number(node: ast.AST | None) -> bool:
    """Return whether an expression is a number written out."""
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant) and isinstance(inner.value, int | float | complex)


def is_python_scalars(value: ast.expr) -> bool:
    """Return whether an expression is made of Python numbers only."""
    match value:
        case ast.Constant(value=number):
            return isinstance(number, int | float | complex)
        case ast.UnaryOp(operand=operand):
            return is_python_scalars(operand)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return bool(items) and all(map(is_python_scalars, items))
        case ast.BinOp(left=left, op=ast.Mult()):
            return isinstance(left, ast.List | ast.Tuple) and is_python_scalars(left)
        case ast.Dict(values=values):
            return bool(values) and all(map(is_python_scalars, values))
        case ast.ListComp(elt=item):
            return is_python_scalars(item)
    return False


def block_of(module: Module, statement: ast.stmt) -> list[ast.stmt]:
    """Return the block in which a statement stands."""
    parent = module.parents.get(statement)
    for name in ("body", "orelse", "finalbody", "handlers"):
        block = getattr(parent, name, None)
        if isinstance(block, list) and statement in block:
            return block
    return []


def bound_value(module: Module, node: ast.expr) -> ast.expr:
    """Follow a name to the expression that was last assigned to it; itself where not known."""
    if not isinstance(node, ast.Name):
        return node
    for scope in (module.scope(node), module.tree):
        bound = [
            s
            for s in module.assignments(node.id, scope)
            if isinstance(s, ast.Assign)
            and isinstance(s.targets[0], ast.Name)
            and (scope is module.tree or s.lineno < node.lineno)
        ]
        if bound:
            return bound[-1].value
    return node


def iterated(target: ast.expr, source: ast.expr, name: str) -> ast.expr | None:
    """Return what a name of a loop goes through: `b` for `y` in `for x, y in zip(a, b)`."""
    if isinstance(target, ast.Name):
        return source if target.id == name else None
    called = getattr(getattr(source, "func", None), "id", "")
    if not isinstance(source, ast.Call) or called not in ("zip", "enumerate"):
        return None
    arrays = [None, *source.args] if called == "enumerate" else source.args
    parts = zip(getattr(target, "elts", ()), arrays, strict=False)
    found = [iterated(part, array, name) for part, array in parts if array is not None]
    return next((one for one in found if one is not None), None)


def is_in_parentheses(module: Module, node: ast.expr) -> bool:
    """Return whether parentheses stand directly around an expression."""
    span = module.span(node)
    before = module.lines[span.line - 1][: span.column].rstrip()
    after = module.lines[span.end_line - 1][span.end_column :].lstrip()
    return before.endswith("(") and after.startswith(")")
