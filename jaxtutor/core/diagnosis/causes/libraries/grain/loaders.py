"""Matches mistakes in the data loaders of Grain: unequal elements, and classes for objects."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import InContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import keyword_value, method_of
from jaxtutor.core.diagnosis.reading.names import last_name


class UnequalElements(InContext, frozen=True, kw_only=True):
    """A call that groups the elements of a data set into batches."""

    call: ast.Call


def unequal_elements(context: FailureContext) -> UnequalElements | None:
    """A data loader joins elements whose arrays have different shapes."""
    if not any(name.startswith("grain.") for name in context.failure.jax_frames):
        return None
    found = [
        (module, node)
        for module in context.modules.values()
        for node in module.calls
        if _is_batching(module.dotted(node.func) or "", node)
    ]
    if len(found) != 1:
        return None
    module, call = found[0]
    name = module.text(call.func) if "\n" not in module.text(call.func) else f".{method_of(call)}"
    place = module.location(call.args[0]) if call.args else module.location(call)
    return UnequalElements(place, {"name": name}, context=context, call=call)


def _is_batching(path: str, call: ast.Call) -> bool:
    is_class = path.startswith("grain.") and path.endswith(".Batch")
    return is_class or (method_of(call) == "batch" and bool(call.args))


class ClassForObject(InContext, frozen=True, kw_only=True):
    """A class in the list of operations, where an object of it belongs."""

    module: Module
    node: ast.expr


_NAMED = re.compile(r"'(\w+)' object is not (?:an iterator|iterable)|(\w+)\(\) takes no arguments")


def class_for_object(context: FailureContext) -> ClassForObject | None:
    """The operations of a data loader contain a class, which Grain calls like a function."""
    said = _NAMED.search(context.message)
    if said is None or not any(n.startswith("grain.") for n in context.failure.jax_frames):
        return None
    found = [
        (module, item)
        for module in context.modules.values()
        for node in module.calls
        if isinstance(given := keyword_value(node, "operations"), ast.List | ast.Tuple)
        for item in given.elts
        if last_name(item) in said.groups()
    ]
    if len(found) != 1:
        return None
    module, node = found[0]
    facts = {"name": module.text(node)}
    return ClassForObject(module.location(node), facts, context=context, module=module, node=node)


def make_operation(found: ClassForObject) -> Drafts:
    """Make an object of the class; a skeleton needs the settings of the model that was saved."""
    if found.form != "skeleton":
        yield Draft(found.module).certain().after(found.node, "()")


RULES = (Rule("batch-of-unequal-elements", raised(unequal_elements)),)
