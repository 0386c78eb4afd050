"""Splits the expression given to a command into a function and its arguments."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from jaxtutor.core.repl.transcript import FILE

Names = dict[str, Any]


class UnusableOperand(Exception):
    """A command cannot use the expression it was given. The message says what it needs."""


@dataclass(frozen=True)
class PendingCall:
    """A function and its arguments, not yet called."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    keywords: dict[str, Any]


@dataclass(frozen=True)
class UnevaluatedExpression:
    """An expression that is not yet evaluated. `function` is the called function of a call."""

    value: Callable[[], Any]
    function: Any = None


def is_call(source: str) -> bool:
    """Return True if the source is a single call without `*` or `**` arguments."""
    return _plain_call(ast.parse(source.strip(), mode="eval").body) is not None


def read_call(source: str, line: int, names: Names) -> PendingCall:
    """Evaluate the function and the arguments of a call.

    Any other expression becomes a function of the arrays that it names.
    """
    node = _parse(source, line)
    call = _plain_call(node)
    if call is None:
        return _read_expression(node, names)
    return PendingCall(
        _evaluate(call.func, names),
        tuple(_evaluate(argument, names) for argument in call.args),
        {word.arg: _evaluate(word.value, names) for word in call.keywords if word.arg},
    )


def read_value(source: str, line: int, names: Names) -> UnevaluatedExpression:
    """Read an expression. If it is a call, evaluate the called function now."""
    node = _parse(source, line)
    call = _plain_call(node)
    function = _evaluate(call.func, names) if call is not None else None
    return UnevaluatedExpression(lambda: _evaluate(node, names), function)


def _parse(source: str, line: int) -> ast.expr:
    return ast.parse("\n" * (line - 1) + source.strip(), FILE, mode="eval").body


def _plain_call(node: ast.expr) -> ast.Call | None:
    if not isinstance(node, ast.Call) or any(isinstance(a, ast.Starred) for a in node.args):
        return None
    return node if all(word.arg for word in node.keywords) else None


def _evaluate(node: ast.expr, names: Names) -> Any:
    code = compile(ast.Expression(node), FILE, "eval", dont_inherit=True)
    return eval(code, names)


def _read_expression(node: ast.expr, names: Names) -> PendingCall:
    """Turn an expression in the arrays x and y into a call of `lambda x, y: …`."""
    moving = list(dict.fromkeys(_arrays(node, names)))
    if not moving:
        raise UnusableOperand(_why_unusable(node, names))
    arguments = ast.arguments(
        posonlyargs=[],
        args=[ast.arg(name) for name in moving],
        kwonlyargs=[],
        kw_defaults=[],
        defaults=[],
    )
    made = ast.copy_location(ast.Lambda(arguments, node), node)
    ast.fix_missing_locations(made)
    return PendingCall(_evaluate(made, names), tuple(names[name] for name in moving), {})


def _why_unusable(node: ast.expr, names: Names) -> str:
    text = ast.unparse(node)[:60]
    value = _evaluate(node, names)
    if callable(value):
        return f"`{text}` is a function: give it arguments, such as `{text}(x)`."
    return f"`{text}` is {article(value)}. What is wanted is a call, such as `f(x)`."


def article(value: Any) -> str:
    """Return the name of a value's class with its article."""
    name = type(value).__name__
    return f"an {name}" if name[:1].lower() in "aeiou" else f"a {name}"


def _arrays(node: ast.expr, names: Names) -> Iterator[str]:
    kinds = (jax.Array, np.ndarray)
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and issubclass(type(names.get(inner.id)), kinds):
            yield inner.id
