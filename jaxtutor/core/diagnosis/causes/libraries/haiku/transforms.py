"""Matches and fixes modules and functions of Haiku that are used without `hk.transform`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame, at_frame
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import calls_in


class Untransformed(AtFrame, frozen=True, kw_only=True):
    """The name of a function where that of what `hk.transform` returned belongs."""

    name: ast.Name
    transformed: str


def untransformed(context: FailureContext) -> AtFrame | None:
    """A module of Haiku is used outside of `hk.transform`, or the method of a plain function."""
    frame = context.frame
    if frame is None or context.error != "AttributeError":
        return at_frame(context)
    node = frame.node
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return None
    names = {name for m in context.modules.values() for name in _transformed(m, node.value.id)}
    if len(names) != 1:
        return None
    name = names.pop()
    facts = {"name": node.value.id, "argument": f"{name}.{node.attr}(…)"}
    return Untransformed(
        None, facts, "original", context=context, name=node.value, transformed=name
    )


def _transformed(module: Module, function: str) -> Iterator[str]:
    """List the names of what `hk.transform` made of a function."""
    for node in module.nodes:
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        calls = (n for n in calls_in(node.value) if n.args)
        made = [c for c in calls if (module.dotted(c.func) or "").startswith("haiku.transform")]
        if any(getattr(c.args[0], "id", "") == function for c in made):
            yield node.targets[0].id


def name_transformed(found: Untransformed) -> Drafts:
    """Name the transformed function."""
    yield Draft(found.module).certain().replace(found.name, found.transformed)


RULES = (Rule("haiku-untransformed", raised(untransformed), by_match(name_transformed)),)
