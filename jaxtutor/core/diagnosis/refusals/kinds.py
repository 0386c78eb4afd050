"""Says what a value is by its class, and what to do with it where an array is needed."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.refusals.failed import FailedExpression, Refusal

OF_CLASS = {
    "NoneType": (
        "None",
        "See where it gets its value: a function without `return` and a method such as"
        " `list.append` give None",
    ),
    "builtin_function_or_method": ("a function", "Call it: `{text}()`"),
    "dict": ("a dict", "Take the array in it, or compute with each: `jax.tree.map(f, {text})`"),
    "function": ("a function", "Call it: `{text}(…)`"),
    "generator": ("a generator", "Make a list of it: `[…]` with square brackets"),
    "list": ("a list", "Make an array of it: `jnp.array({text})`"),
    "map": ("a `map`", "Make a list of it: `list({text})`"),
    "method": ("a method", "Call it: `{text}()`"),
    "range": ("a `range`", "Make an array: `{arange}`"),
    "set": ("a set", "Make an array of it: `jnp.array(sorted({text}))`"),
    "tuple": ("a tuple", "Take the part that is meant, such as `{text}[0]`, or unpack it"),
    "zip": ("a `zip`", "Make a list of it: `list({text})`"),
}
"""What a value of a class is called, and what to do with one where an array is needed."""


def of_class(failed: FailedExpression, node: ast.expr, class_name: str, why: str) -> Refusal | None:
    """Describe a value by its class; None for other classes."""
    known = OF_CLASS.get(class_name)
    if known is None:
        return None
    text = failed.text(node)
    arange = f"jnp.a{text}" if text.startswith("range(") else f"jnp.array({text})"
    is_what, action = known
    return Refusal(
        f"`{text}` is {is_what}, and {why}.", f"{action.format(text=text, arange=arange)}."
    )
