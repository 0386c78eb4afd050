"""Matches and fixes classes of libraries that stand where an object of them belongs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.libraries.grain.loaders import (
    ClassForObject,
    class_for_object,
    make_operation,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import argument, calls_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.names import last_name, last_part

_MADE = re.compile(r"(\w+)\.__init__\(\) (?:takes|missing|got)")
_TAKE_OBJECTS = frozenset("blackjax diffrax distrax lineax numpyro optimistix".split())
"""Libraries whose functions take objects, and never a class of these libraries."""


def bare_class(context: FailureContext) -> ClassForObject | None:
    """A library calls a class of its own, which the learner passed in the place of an object."""
    return (
        class_for_object(context)
        or _skeleton(context)
        or _called_as_object(context)
        or _called_as_function(context)
    )


def _skeleton(context: FailureContext) -> ClassForObject | None:
    """Match a class that `tree_deserialise_leaves` returned as it is, and that is then called."""
    said = _MADE.search(context.message)
    found = [
        (module, like)
        for module in context.modules.values()
        for call in calls_of(module, "equinox.tree_deserialise_leaves")
        if (like := argument(call, 1, "like")) is not None
        and said is not None
        and last_name(like) == said[1]
    ]
    if len(found) != 1:
        return None
    module, node = found[0]
    facts = {"name": module.text(node)}
    return ClassForObject(
        module.location(node), facts, "skeleton", context=context, module=module, node=node
    )


def _called_as_object(context: FailureContext) -> ClassForObject | None:
    """Match the only place where a class is named and not called, if the library called it."""
    said, call = _MADE.search(context.message), context.call
    if said is None or not context.failure.jax_frames:
        return None
    if call is not None and getattr(call.func, "attr", getattr(call.func, "id", "")) == said[1]:
        return None  # the learner's call is what does not fit
    found = [
        (module, node)
        for module in context.modules.values()
        for node in _named_alone(module, said[1])
    ]
    if len(found) != 1:
        return None
    module, node = found[0]
    facts = {"name": module.text(node)}
    return ClassForObject(
        module.location(node), facts, "called", context=context, module=module, node=node
    )


def _called_as_function(context: FailureContext) -> ClassForObject | None:
    """Match a class of the learner's that a library called as the function that it expects."""
    called = context.failure.handed
    if called is None or not called.is_class:
        return None
    found = [
        (module, node, outer)
        for module in context.modules.values()
        for node in module.nodes
        if isinstance(node, ast.Name) and node.id == called.name
        if isinstance(outer := module.parents.get(node), ast.Call) and node in outer.args
        if module.dotted(outer.func) not in ("isinstance", "issubclass")
    ]
    signature = _signature_of_call(context, called.name)
    if len(found) != 1 or not signature:
        return None
    module, node, call = found[0]
    facts = {
        "name": node.id,
        "function": module.text(call.func),
        "argument": signature,
        "condition": context.frame.module.text(context.call.func)
        if context.frame is not None and context.call is not None
        else module.text(call.func),
    }
    return ClassForObject(
        module.location(node), facts, "function", context=context, module=module, node=node
    )


def _signature_of_call(context: FailureContext, name: str) -> str:
    """Write the parameters of a class's own `__call__`: `x, is_training`; empty if it has none."""
    named = context.class_named(name)
    body = named[1].body if named is not None else []
    found = [n for n in body if isinstance(n, ast.FunctionDef) and n.name == "__call__"]
    return ", ".join(parameter_names(found[0])[1:]) if found else ""


def _named_alone(module: Module, name: str) -> Iterator[ast.expr]:
    """List where the values of a list, a dict, a call or an assignment are a library's class."""
    for node in module.nodes:
        is_name = isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)
        if not is_name or last_part(module.dotted(node)) != name:
            continue
        outer = module.parents.get(node)
        home = (module.dotted(node) or "").partition(".")[0]
        is_called = isinstance(outer, ast.Call) and outer.func is node
        is_type = isinstance(outer, ast.Call) and getattr(outer.func, "id", "") == "isinstance"
        holds = isinstance(outer, ast.Call | ast.keyword | ast.Dict | ast.List | ast.Tuple)
        if home in _TAKE_OBJECTS and holds and not (is_called or is_type):
            yield node  # type: ignore[misc]


def make_object(found: ClassForObject) -> Drafts:
    """Make an object of the class, in a function if the library calls what it gets."""
    if found.form != "function":
        yield from make_operation(found)
        return
    name, given = found.facts["name"], found.facts["argument"]
    function = f"lambda {given}: {name}()({given})"
    yield Draft(found.module).certain().replace(found.node, function)


RULES = (Rule("class-for-object", raised(bare_class), make_object),)
