"""Advises on failures that have no cause: what the values were, and what the library documents."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.data.model import NameFact
from jaxtutor.core.diagnosis.context import FailureContext
from jaxtutor.core.diagnosis.fallback_summaries import SUMMARIES

MOST_VALUES = 6
_ARRAYS = ("array", "tracer", "ndarray", "typed_key")
_WORDS = {"str": "a text", "none": "None"}
_COUNTED = {"list": "items", "tuple": "items", "set": "items", "dict": "keys"}


def advise(context: FailureContext) -> str:
    """Describe the values in the expression that raised, and quote the library's documentation."""
    if context.error in SUMMARIES:  # the program ended, was interrupted, or lacks a module
        return ""
    return " ".join(
        [*_available(context), *_values(context), *_texts(context), *_documented(context)]
    )


def _available(context: FailureContext) -> Iterator[str]:
    """Name the keys that there are, or the item that has the attribute."""
    frame, keys, node = context.frame, context.failure.keys, context.node
    if frame is None or not keys:
        return
    if isinstance(node, ast.Attribute):
        holder, shown = frame.module.text(node.value), keys[0]
        yield f"`{holder}{shown}` has the attribute: `{holder}{shown}.{node.attr}`."
    elif isinstance(node, ast.Subscript):
        listed = ", ".join(f"`{key}`" for key in keys)
        yield f"The keys of `{frame.module.text(node.value)}` are {listed}."


def _values(context: FailureContext) -> Iterator[str]:
    """List what the names in the expression were, where a library or Python refused them."""
    frame, node = context.frame, context.node
    if frame is None or node is None:
        return
    seen: dict[str, str] = {}
    for part in ast.walk(node):
        fact = frame.fact(part) if isinstance(part, ast.Name | ast.Attribute) else None
        said = _said(fact, in_call=isinstance(node, ast.Call)) if fact is not None else ""
        is_owner = fact is not None and any(name.startswith(f"{fact.name}.") for name in seen)
        if fact is not None and said and not is_owner:
            seen.setdefault(fact.name, said)
    parts = [f"`{name}` is {said}" for name, said in list(seen.items())[:MOST_VALUES]]
    if parts:
        yield f"Here {', '.join(parts)}."


def _said(fact: NameFact, *, in_call: bool) -> str:
    """Describe a value in a few words; empty for functions, classes and modules."""
    name = fact.detail.rpartition(".")[2]
    if fact.kind in _ARRAYS:
        return f"`{fact.detail}`"
    if fact.kind in _COUNTED:
        return f"a {fact.kind} with {fact.detail} {_COUNTED[fact.kind]}"
    if fact.kind in _WORDS:
        return _WORDS[fact.kind]
    if fact.kind == "number":
        return "" if in_call else f"a Python `{name}`"
    return f"a `{name}`" if fact.kind == "other" and name and not name.startswith("_") else ""


def _texts(context: FailureContext) -> Iterator[str]:
    """Say how a text that arithmetic got becomes a number."""
    frame, node = context.frame, context.node
    for part in (node.left, node.right) if isinstance(node, ast.BinOp) else ():
        if frame is not None and frame.kind(part) == "str":
            name = frame.module.text(part)
            yield f"Convert the text first: `float({name})`; with argparse, `type=float`."


def _documented(context: FailureContext) -> Iterator[str]:
    """Quote what the library's docstring says of the arguments."""
    for item in context.failure.documentation:
        yield f"The documentation of `{item.function}` says of `{item.name}`: “{item.text}”"
