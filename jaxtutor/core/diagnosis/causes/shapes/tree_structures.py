"""Matches trees that belong together, as in tree.map, and have different structures."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import Match
from jaxtutor.core.diagnosis.engine.phrases import listed
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.names import last_part

_MAPS = ("tree.map", "tree_map", "tree.map_with_path", "tree_map_with_path")
_DIFFERENT = ("Expected tuple", "Expected list", "Expected dict", "key mismatch", "arity mismatch")
_METADATA = re.compile(r"different pytree metadata[\s\S]*?<class '([\w.<>]+)'>\nwith metadata")


def structure_mismatch(context: FailureContext) -> Match | None:
    """Trees that belong together, as in tree.map, have different structures."""
    if "pytree structure error" in context.message and "vmap in_axes" not in context.message:
        return _other_metadata(context) or _shared_value(context.frame) or Match()
    if _calls_map(context.frame) and any(words in context.message for words in _DIFFERENT):
        return _shared_value(context.frame) or Match()
    return _none_leaf(context)


def _shared_value(frame: FrameContext | None) -> Match | None:
    """A number that is the same for all leaves is mapped like a tree."""
    call = frame.node if frame is not None else None
    is_map = isinstance(call, ast.Call) and _calls_map(frame) and len(call.args) > 2
    if frame is None or not isinstance(call, ast.Call) or not is_map:
        return None
    function, first, *others = call.args
    values = [it for it in others if frame.kind(it) in _SINGLE]
    if len(values) != 1 or frame.kind(first) not in ("dict", "list", "tuple"):
        return None
    text = frame.module.text
    trees = [text(it) for it in (first, *others) if it is not values[0]]
    written = text(function)
    if isinstance(function, ast.Lambda):
        names = [name for name in parameter_names(function) if name != text(values[0])]
        written = f"lambda {', '.join(names)}: {text(function.body)}"
    facts = {
        "name": text(values[0]),
        "container": text(first),
        "argument": f"{text(call.func)}({', '.join([written, *trees])})",
    }
    return Match(None, facts, "shared")


_SINGLE = ("array", "number", "tracer")
"""Kinds of a value that is one leaf by itself."""


def _other_metadata(context: FailureContext) -> Match | None:
    """Two objects of one class differ in what is not an array: a function, a setting."""
    said, node = _METADATA.search(context.message), context.node
    if said is None or not isinstance(node, ast.Call) or not _calls_map(context.frame):
        return None
    name = last_part(said[1])
    trees = [context.frame.module.text(a) for a in node.args[1:]] if context.frame else []
    facts = {"name": name, "argument": listed(trees)}
    form = "train_state" if name.endswith("TrainState") else "metadata"
    if form == "train_state" and len(trees) == 2:
        facts["condition"] = ", ".join(f"{tree}.params" for tree in trees)
    return Match(None, facts, form)


def _calls_map(frame: FrameContext | None) -> bool:
    path = frame.callee(frame.node) if frame is not None else None
    return path is not None and path.endswith(_MAPS)


def _none_leaf(context: FailureContext) -> Match | None:
    """A leaf of one tree is None where the other has an array."""
    if "NoneType" not in context.message or len(context.frames) < 2:
        return None
    inner, outer = context.frames[-1], context.frames[-2]
    node = outer.node
    if not _calls_map(outer) or not isinstance(node, ast.Call):
        return None
    if argument(node, None, "is_leaf") is not None:  # with is_leaf the None is intended
        return None
    given = parameter_names(inner.function)
    is_none = any(inner.kind(name) == "none" for name in given)
    return Match(outer.place(node)) if is_none else None


RULES = (Rule("pytree-structure-mismatch", raised(structure_mismatch)),)
