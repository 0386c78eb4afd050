"""Says why a value has no attribute, and what has it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from jaxtutor.core.diagnosis.engine.value_origins import value_origin
from jaxtutor.core.diagnosis.refusals.failed import FailedExpression, Refusal

_NO_ATTRIBUTE = re.compile(r"'(\w+)' object has no attribute '(\w+)'")


_OF_ARRAYS = frozenset(
    "T all any argmax argmin astype at clip cumsum dot dtype flatten max mean min ndim prod ravel"
    " reshape shape size squeeze stack std sum swapaxes transpose var".split()
)
"""Attributes of arrays, and functions of jax.numpy, that are looked for in containers."""


def attribute(failed: FailedExpression) -> Refusal | None:
    """A container, a function or None lacks the attribute that is read."""
    said, node = _NO_ATTRIBUTE.match(failed.message), failed.node
    if said is None or not isinstance(node, ast.Attribute):
        return None
    class_name, name = said[1], said[2]
    owner, is_of_array = failed.text(node.value), name in _OF_ARRAYS
    if class_name == "NoneType":
        return _none(failed, owner, name)
    if class_name in ("function", "PjitFunction", "method"):
        return _function_attribute(failed, owner, name)
    if class_name == "set" and name == "append":
        return Refusal(f"`{owner}` is a set.", f"A set has `add`: `{owner}.add(…)`.")
    if class_name == "dict" and (is_of_array or name == "map"):
        mapped = (
            f"jax.tree.map(lambda leaf: leaf.{name}, {owner})"
            if is_of_array
            else (f"jax.tree.map(f, {owner})")
        )
        return Refusal(
            f"`{owner}` is a dict, and has no `.{name}`: the arrays in it do.",
            f"Compute with each: `{mapped}`, or take one: `jax.tree.leaves({owner})[0]`.",
        )
    if class_name in ("list", "tuple") and is_of_array:
        return _sequence_attribute(owner, class_name, name)
    return None


def _none(failed: FailedExpression, owner: str, name: str) -> Refusal:
    origin = value_origin(failed.context.frames, owner)
    line = f" in line {origin.node.lineno}" if origin is not None else ""
    return Refusal(
        f"`{owner}` is None, and has no `.{name}`.",
        f"See where it gets its value{line}: a function without `return` and a method such as"
        " `list.append`, which changes the list itself, give None.",
    )


def _function_attribute(failed: FailedExpression, owner: str, name: str) -> Refusal:
    origin = value_origin(failed.context.frames, owner)
    if origin is not None and isinstance(origin.node, ast.Call):
        made = " ".join(origin.module.text(origin.node).split())
        return Refusal(
            f"`{owner}` is a function: `{made}` (line {origin.node.lineno}) returns one.",
            f"Call it with its arguments{_moved(origin.node, origin.module.text)}, and take"
            f" `.{name}` of what it returns.",
        )
    return Refusal(f"`{owner}` is a function, and has no `.{name}`.", f"Call it: `{owner}(…)`.")


def _moved(call: ast.Call, text: Callable[[ast.expr], str]) -> str:
    """Write a call like `jax.make_jaxpr(f, x)` with its arguments in a second call."""
    if len(call.args) < 2 or call.keywords:
        return ""
    first, *others = map(text, call.args)
    return f": `{text(call.func)}({first})({', '.join(others)})`"


def _sequence_attribute(owner: str, class_name: str, name: str) -> Refusal:
    says = f"`{owner}` is a {class_name}, and has no `.{name}`: that is of arrays."
    if name == "prod" and ".shape" in owner:
        return Refusal(says, f"Multiply Python integers with `math.prod({owner})`.")
    if name in ("stack", "mean", "sum", "max", "min", "prod"):
        return Refusal(
            says,
            f"Write `jnp.{name}(jnp.array({owner}))`; `jnp.stack({owner})` joins"
            " arrays of one shape.",
        )
    return Refusal(
        says,
        f"Make an array of it first: `jnp.array({owner})`, or `jnp.stack({owner})` and"
        f" `jnp.concatenate({owner})` if it holds arrays.",
    )


_NO_SETTER = re.compile(r"property '(\w+)' of '\w*(?:Tracer|ArrayImpl)' object has no setter")


def no_setter(failed: FailedExpression) -> Refusal | None:
    """A property of an array is assigned to."""
    said, statement = _NO_SETTER.match(failed.message), failed.frame.statement
    if said is None or not isinstance(statement, ast.Assign):
        return None
    target, value = statement.targets[0], failed.text(statement.value)
    owner = failed.text(target.value) if isinstance(target, ast.Attribute) else "x"
    made = {"shape": f"reshape({value})", "dtype": f"astype({value})"}.get(said[1])
    action = (
        f"Make a new array: `{owner} = {owner}.{made}`."
        if made
        else (f"Make a new array in place of a new `.{said[1]}`.")
    )
    return Refusal(f"`{owner}` is an array, and its `.{said[1]}` cannot be changed.", action)
