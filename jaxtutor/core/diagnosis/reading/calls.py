"""Reads calls: the arguments that they pass, and the calls of a function in a file."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module
from jaxtutor.core.diagnosis.reading.functions import parameters
from jaxtutor.core.diagnosis.reading.names import last_name


def argument(call: ast.Call, position: int | None, *names: str) -> ast.expr | None:
    """Find an argument by its position or one of its names: `0` of `f(x, 0)` and of `f(x, axis=0)`.

    None where a `*args` before it hides the position.
    """
    for keyword in call.keywords:
        if keyword.arg in names:
            return keyword.value
    if position is None or len(call.args) <= position:
        return None
    if any(isinstance(a, ast.Starred) for a in call.args[: position + 1]):
        return None
    return call.args[position]


def keyword_of(call: ast.Call, name: str) -> ast.keyword | None:
    """Find a keyword argument of a call: `axis=0` of `f(x, axis=0)` for `axis`."""
    return next((k for k in call.keywords if k.arg == name), None)


def keyword_value(call: ast.Call, name: str) -> ast.expr | None:
    """Find what a call passes by a keyword: `0` of `f(x, axis=0)` for `axis`."""
    found = keyword_of(call, name)
    return found.value if found is not None else None


def passed_arguments(call: ast.Call) -> list[ast.expr]:
    """List what a call passes, keywords last: `x`, `n` of `f(x, size=n)`."""
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def argument_for(function: FunctionNode, call: ast.Call, name: str) -> ast.expr | None:
    """Find what a call passes for a parameter: `1` of `f(0, 1)` for `y` of `def f(x, y)`.

    The first parameter of a method is skipped.
    """
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


def is_call_of(node: ast.AST | None, name: str) -> bool:
    """Return whether an expression calls a plain name: `f(x)` for `f`, but not `module.f(x)`."""
    func = node.func if isinstance(node, ast.Call) else None
    return isinstance(func, ast.Name) and func.id == name


def method_of(node: ast.AST | None) -> str:
    """Return the name of the method that a call calls: `"sum"` of `x.sum()`; else empty."""
    func = node.func if isinstance(node, ast.Call) else None
    return func.attr if isinstance(func, ast.Attribute) else ""


def method_owner(node: ast.AST | None, *methods: str) -> ast.expr | None:
    """Return what a method is called on: `d` of `d.values()`. With names, of these methods only."""
    func = node.func if isinstance(node, ast.Call) else None
    if not isinstance(func, ast.Attribute) or (methods and func.attr not in methods):
        return None
    return func.value


def called_name(node: ast.AST | None) -> ast.Name | None:
    """Return the name that a call calls, directly or transformed: `f` of `jax.vmap(f)(x)`."""
    func = node.func if isinstance(node, ast.Call) else None
    while isinstance(func, ast.Call) and func.args:
        func = func.args[0]
    return func if isinstance(func, ast.Name) else None


def callee_root(node: ast.AST | None) -> ast.AST | None:
    """Return what a chain of calls begins with: `Predictive` of `Predictive(model)(x)`."""
    while isinstance(node, ast.Call):
        node = node.func
    return node


def called_identifier(node: ast.AST | None) -> str:
    """Return the last part of what a call calls: `mean` of `mean(x)` and of `f(x).mean()`."""
    func = node.func if isinstance(node, ast.Call) else None
    return func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")


def calls_in(node: ast.AST) -> Iterator[ast.Call]:
    """List the calls in a node, itself included: `f(g(x))` and `g(x)` in `f(g(x))`."""
    return (inner for inner in ast.walk(node) if isinstance(inner, ast.Call))


def calls_of(module: Module, *paths: str) -> Iterator[ast.Call]:
    """List the calls of imported functions: `jnp.dot(a, b)` for `"jax.numpy.dot"`."""
    return (call for call in module.calls if module.dotted(call.func) in paths)


def calls_to(module: Module, name: str) -> Iterator[ast.Call]:
    """List the calls of a name, plain or as a method: `step(x)` and `model.step(x)` for `step`."""
    return (call for call in module.calls if last_name(call.func) == name)


def is_unread(module: Module, call: ast.Call) -> bool:
    """Return whether a statement drops a result, or only waits for it.

    `f(x)`, `f(x).block_until_ready()` and `jax.block_until_ready(f(x))` on lines of their own do.
    """
    outer: ast.AST | None = module.parents.get(call)
    if isinstance(outer, ast.Attribute) and outer.attr == "block_until_ready":
        outer = module.parents.get(outer)
    is_waiting = called_identifier(outer) == "block_until_ready"
    return isinstance(module.parents.get(outer) if outer and is_waiting else outer, ast.Expr)


def method_call_span(module: Module, call: ast.Call) -> Span:
    """Return the span of the last method call: `.batch(8)` of `data.map(f).batch(8)`."""
    assert isinstance(call.func, ast.Attribute)
    before, whole = module.span(call.func.value), module.span(call)
    return Span(before.end_line, before.end_column, whole.end_line, whole.end_column)


def is_in_parentheses(module: Module, node: ast.expr) -> bool:
    """Return whether parentheses stand directly around an expression: `x` of `(x)`."""
    span = module.span(node)
    before = module.lines[span.line - 1][: span.column].rstrip()
    after = module.lines[span.end_line - 1][span.end_column :].lstrip()
    return before.endswith("(") and after.startswith(")")
