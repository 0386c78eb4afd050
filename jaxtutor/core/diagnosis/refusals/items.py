"""Says why square brackets failed: keys of an array, a list, an object without items."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.engine.transforms import name_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.refusals.failed import FailedExpression, Refusal
from jaxtutor.core.diagnosis.refusals.kinds import OF_CLASS, of_class

_TEXT_INDEX = re.compile(r"JAX does not support string indexing; got idx='(\w+)'")


def text_index(failed: FailedExpression) -> Refusal | None:
    """A key of an array is read: the dict that holds it was meant, or another argument."""
    said, node = _TEXT_INDEX.match(failed.message), failed.node
    if said is None:
        return None
    if isinstance(node, ast.Subscript):
        owner = failed.text(node.value)
        aval = failed.kind(node.value)
        return Refusal(
            f"`{owner}` is an array{f', `{aval}`,' if aval else ''} and has no key"
            f" `{said[1]!r}`: that is of a dict.",
            f"See what the call passes for `{owner}`, and in which order: it has to be the dict.",
        )
    if isinstance(node, ast.Call):
        given = ", ".join(f"`{failed.text(it)}`" for it in node.args)
        return Refusal(
            f"`{failed.text(node)}` calls a function that takes a dict: it reads the key"
            f" `{said[1]!r}`, and gets an array.",
            f"Pass it the dict and not an array ({given}). Turn a flattened tree back first:"
            " `vector, unravel = ravel_pytree(tree)`, then `unravel(vector)`.",
        )
    return None


def number_for_key(failed: FailedExpression) -> Refusal | None:
    """A dict is indexed by a number, as its arrays are."""
    node, keys = failed.node, failed.context.failure.keys
    is_number = failed.context.error == "KeyError" and failed.message.isdecimal()
    if not is_number or not isinstance(node, ast.Subscript) or not keys:
        return None
    owner, index = failed.text(node.value), failed.text(node.slice)
    return Refusal(
        f"`{owner}` is a dict, and `{index}` is not one of its keys.",
        "Take that element of each array in it:"
        f" `jax.tree.map(lambda leaf: leaf[{index}], {owner})`.",
    )


_LIST_INDEX = re.compile(r"Using a non-tuple sequence for multidimensional indexing")


def list_index(failed: FailedExpression) -> Refusal | None:
    """A list stands between the square brackets of an array."""
    if not _LIST_INDEX.match(failed.message):
        return None
    for part in ast.walk(failed.node):
        if not isinstance(part, ast.Subscript):
            continue
        text = failed.text(part.slice)
        is_list = text.startswith(("[", "list(")) or failed.frame.kind(part.slice) == "list"
        if is_list:
            inner = text[5:-1] if text.startswith("list(") else f"jnp.array({text})"
            return Refusal(
                f"`{text}` is a list, and an array is indexed by numbers and arrays.",
                f"Index with an array: `{failed.text(part.value)}[{inner}]`.",
            )
    return None


_PATH_KEY = re.compile(
    r"pytree\.(?:Dict|Sequence|GetAttr|FlattenedIndex)Key\b|'tuple' object has no attribute"
    r" '(?:startswith|endswith|split|replace)'"
)


def path_key(failed: FailedExpression) -> Refusal | None:
    """A path of a tree, which holds key objects, is used as a text."""
    path = _path_of_leaf(failed)
    if not _PATH_KEY.search(failed.message) or not (path or "Key" in failed.message):
        return None
    return Refusal(
        f"`{failed.text(failed.node)}` uses the path of a leaf as text, and it is a tuple of key"
        " objects.",
        f'Write it as text: `jax.tree_util.keystr({path or "path"}, simple=True, separator="/")`.',
    )


def _path_of_leaf(failed: FailedExpression) -> str:
    """Return the first parameter of the function that `map_with_path` calls; empty elsewhere."""
    function, module = failed.frame.function, failed.frame.module
    given = [
        call.args[0]
        for call in module.calls
        if call.args and (module.dotted(call.func) or "").endswith("map_with_path")
    ]
    names = [it.id for it in given if isinstance(it, ast.Name)]
    if function is None or not (function in given or name_of(function) in names):
        return ""
    return next(iter(parameter_names(function)), "")


_NO_ITEMS = re.compile(r"'(?:[\w.]*\.)?(\w+)' object is not subscriptable")


def subscripted(failed: FailedExpression) -> Refusal | None:
    """An object without items is indexed."""
    said, node = _NO_ITEMS.match(failed.message), failed.node
    if said is None or not isinstance(node, ast.Subscript):
        return None
    owner = failed.text(node.value)
    known = OF_CLASS.get(said[1])
    if known is not None:
        return of_class(failed, node.value, said[1], "has no items")
    key = node.slice
    if isinstance(key, ast.Constant) and isinstance(key.value, str) and key.value.isidentifier():
        return Refusal(
            f"`{owner}` is a `{said[1]}`, and has attributes in place of keys.",
            f"Write `{owner}.{key.value}`.",
        )
    return None
