"""Matches and fixes values of a NumPyro model that are read from its samples, and are not sites."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.rules import AtFrame, Drafts
from jaxtutor.core.diagnosis.source import FunctionNode, Module, own_nodes
from jaxtutor.core.diagnosis.transforms import name_of


class Unrecorded(AtFrame, frozen=True, kw_only=True):
    """A value that a model of the file `home` computes in an assignment, and does not record."""

    home: Module
    value: ast.expr
    name: str


def not_recorded(context: FailureContext) -> Unrecorded | None:
    """A name that a model computes is read from its samples, which hold its sites only."""
    frame, node = context.frame, context.node
    if frame is None or not isinstance(node, ast.Subscript):
        return None
    key = node.slice.value if isinstance(node.slice, ast.Constant) else None
    if not isinstance(key, str) or not _holds_sites(context):
        return None
    found = [(m, f, v) for m in context.modules.values() for f, v in _computed(m, key)]
    if len(found) != 1:
        return None
    home, model, value = found[0]
    return _unrecorded(context, frame, node, (home, model, value), key)


def _unrecorded(
    context: FailureContext,
    frame: FrameContext,
    node: ast.Subscript,
    place: tuple[Module, FunctionNode, ast.expr],
    key: str,
) -> Unrecorded:
    home, model, value = place
    statement = home.statement(value)
    facts = {
        "name": key,
        "container": frame.module.text(node.value),
        "function": name_of(model),
        "argument": f'{key} = numpyro.deterministic("{key}", …)',
    }
    return Unrecorded(
        home.location(statement if statement is not None else value),
        facts,
        context=context,
        frame=frame,
        home=home,
        value=value,
        name=key,
    )


def _holds_sites(context: FailureContext) -> bool:
    """Return whether all keys of the dict are sites of the learner's models."""
    sites = {
        call.args[0].value
        for module in context.modules.values()
        for call in module.nodes
        if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Constant)
        if (module.dotted(call.func) or "").startswith("numpyro.")
    }
    keys = [key[1:-1] for key in context.failure.keys]
    return bool(keys) and all(key in sites for key in keys)


def _computed(module: Module, name: str) -> Iterator[tuple[FunctionNode, ast.expr]]:
    """Yield the functions that sample and assign a name, with what they assign to it."""
    for function in module.functions:
        nodes = list(own_nodes(function))
        calls = [n for n in nodes if isinstance(n, ast.Call)]
        if not any(module.dotted(call.func) == "numpyro.sample" for call in calls):
            continue
        for node in nodes:
            match node:
                case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                    yield function, value


def record(found: Unrecorded) -> Drafts:
    """Record the value as a site."""
    draft = Draft(found.home).certain()
    deterministic = draft.name("numpyro.deterministic")
    yield draft.wrap(found.value, f'{deterministic}("{found.name}", ', ")")
