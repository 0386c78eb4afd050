"""Matches and fixes modules and functions of Haiku that are used without `hk.transform`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame, at_frame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.calls import calls_in


class Untransformed(AtFrame, frozen=True, kw_only=True):
    """The name of a function where that of what `hk.transform` returned belongs."""

    name: ast.Name
    transformed: str


def untransformed(context: FailureContext) -> AtFrame | None:
    """A module of Haiku is used outside of `hk.transform`, or the method of a plain function."""
    frame = context.frame
    if frame is not None and context.error != "AttributeError":
        return _module_alone(context, frame) or at_frame(context)
    if frame is None:
        return None
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


class ModuleAlone(AtFrame, frozen=True, kw_only=True):
    """A module that is made outside of `hk.transform`, and used like what that returns.

    `takes_key` says whether the calls of its `apply` pass a key after the parameters.
    """

    made: ast.Call
    takes_key: bool


def _module_alone(context: FailureContext, frame: FrameContext) -> ModuleAlone | None:
    """Match a module whose `init` and `apply` are called in the file."""
    made = frame.node
    statement = frame.module.parents.get(made) if made is not None else None
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    name = path_of(target)
    if not isinstance(made, ast.Call) or name is None:
        return None
    calls = frame.module.calls
    called = {method: [c for c in calls if path_of(c.func) == f"{name}.{method}"] for method in _OF}
    counts = {len(c.args) - len(i.args) for c in called["apply"] for i in called["init"]}
    if len(counts) != 1 or any(c.keywords for c in called["apply"]):
        return None
    takes_key = counts.pop() == 1
    facts = {"name": name, "argument": frame.module.text(made)}
    return ModuleAlone(None, facts, context=context, made=made, takes_key=takes_key)


_OF = ("init", "apply")


def _transformed(module: Module, function: str) -> Iterator[str]:
    """List the names of what `hk.transform` made of a function."""
    for node in module.nodes:
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        calls = (n for n in calls_in(node.value) if n.args)
        made = [c for c in calls if (module.dotted(c.func) or "").startswith("haiku.transform")]
        if any(getattr(c.args[0], "id", "") == function for c in made):
            yield node.targets[0].id


def transform(found: AtFrame) -> Drafts:
    """Name the transformed function, or transform the module."""
    if isinstance(found, Untransformed):
        yield Draft(found.module).certain().replace(found.name, found.transformed)
    if isinstance(found, ModuleAlone):
        draft = Draft(found.module).certain()
        haiku = draft.name("haiku")
        text = f"{haiku}.transform(lambda *args: {found.module.text(found.made)}(*args))"
        if not found.takes_key:
            text = f"{haiku}.without_apply_rng({text})"
        yield draft.replace(found.made, text)


RULES = (Rule("haiku-untransformed", raised(untransformed), transform),)
