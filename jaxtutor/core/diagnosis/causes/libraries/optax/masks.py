"""Matches and fixes masks and labels for Optax that are written for one array."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import InContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, path_of
from jaxtutor.core.diagnosis.engine.transforms import resolve
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import parameters
from jaxtutor.core.diagnosis.reading.names import bound_value

_TAKING = {
    "optax.masked": (1, "mask"),
    "optax.multi_transform": (1, "param_labels"),
    "optax.partition": (1, "param_labels"),
    "optax.add_decayed_weights": (1, "mask"),
    **{f"optax.{name}": (None, "mask") for name in ("adamw", "lion", "lamb", "nadamw", "adan")},
}
_NO_ARRAY = re.compile(r"'(?:dict|State|FrozenDict)' object has no attribute '(\w+)'")
_NO_PATH = re.compile(r"(\w+|<lambda>)\(\) missing 1 required positional argument")


class MaskOfOneLeaf(InContext, frozen=True, kw_only=True):
    """A function for one array, `node`, that Optax calls with all parameters."""

    module: Module
    node: ast.expr
    mapped: str


def mask_of_one_leaf(context: FailureContext) -> MaskOfOneLeaf | None:
    """A mask or the labels of an optimizer are a function of one array, or of its path."""
    reads_array, lacks = _NO_ARRAY.search(context.message), _NO_PATH.search(context.message)
    if reads_array is None and lacks is None:
        return None
    found = [
        (module, given, function)
        for module in context.modules.values()
        for node in module.calls
        if (given := _mask_argument(module, node)) is not None
        if (function := resolve(module, bound_value(module, given), given)) is not None
        and len(parameters(function)) == (1 if reads_array is not None else 2)
    ]
    if len(found) != 1:
        return None
    module, given, function = found[0]
    if reads_array is not None and not _is_failing(context, function, reads_array[1]):
        return None
    if lacks is not None and lacks[1] != getattr(function, "name", "<lambda>"):
        return None
    mapped = "jax.tree.map" if reads_array is not None else "jax.tree_util.tree_map_with_path"
    name = given.id if isinstance(given, ast.Name) else "f"
    facts = {
        "name": path_of(given) or "the lambda",
        "argument": f"lambda params: {mapped}({name}, params)",
        "function": mapped,
    }
    form = "" if reads_array is not None else "path"
    place = module.location(given)
    return MaskOfOneLeaf(
        place, facts, form, context=context, module=module, node=given, mapped=mapped
    )


def _mask_argument(module: Module, call: ast.Call) -> ast.expr | None:
    place = _TAKING.get(module.dotted(call.func) or "")
    return argument(call, *place) if place is not None else None


def _is_failing(context: FailureContext, function: FunctionNode, attribute: str) -> bool:
    """Return whether the innermost frame reads an attribute of what the function was given."""
    frame, node = context.frame, context.node
    if frame is None or frame.function is not function or not isinstance(node, ast.Attribute):
        return False
    return node.attr == attribute and path_of(node.value) == parameters(function)[0].arg


def map_over_leaves(found: MaskOfOneLeaf) -> Drafts:
    """Map the function over the parameters."""
    draft = Draft(found.module).certain()
    mapped = draft.name(found.mapped)
    text = found.module.text(found.node)
    yield draft.replace(found.node, f"lambda params: {mapped}({text}, params)")


RULES = (Rule("mask-for-one-leaf", raised(mask_of_one_leaf), map_over_leaves),)
