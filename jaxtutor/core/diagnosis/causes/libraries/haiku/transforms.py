"""Matches and fixes modules and functions of Haiku that are used without `hk.transform`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import indent_of
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
        alone = _module_alone(context, frame) or _module_outside(context, frame)
        return alone or at_frame(context)
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


class ModuleOutside(AtFrame, frozen=True, kw_only=True):
    """A module that is made at the top of a file, and that one function alone uses."""

    statement: ast.Assign
    user: ast.FunctionDef


def _module_outside(context: FailureContext, frame: FrameContext) -> ModuleOutside | None:
    module, statement = frame.module, frame.statement
    name = path_of(statement.targets[0]) if isinstance(statement, ast.Assign) else None
    if not isinstance(statement, ast.Assign) or statement not in module.tree.body or not name:
        return None
    reads = (n for n in module.nodes if path_of(n) == name and isinstance(n, ast.Name))
    users = {module.function(n) for n in reads if isinstance(n.ctx, ast.Load)}
    user = users.pop() if len(users) == 1 else None
    if not isinstance(user, ast.FunctionDef):
        return None
    facts = {"name": name, "function": user.name}
    return ModuleOutside(None, facts, "outside", context=context, statement=statement, user=user)


def transform(found: AtFrame) -> Drafts:
    """Name the transformed function, transform the module, or make it where it is used."""
    if isinstance(found, Untransformed):
        yield Draft(found.module).certain().replace(found.name, found.transformed)
    if isinstance(found, ModuleAlone):
        draft = Draft(found.module).certain()
        haiku = draft.name("haiku")
        text = f"{haiku}.transform(lambda *args: {found.module.text(found.made)}(*args))"
        if not found.takes_key:
            text = f"{haiku}.without_apply_rng({text})"
        yield draft.replace(found.made, text)
    if isinstance(found, ModuleOutside):
        draft, first = Draft(found.module).certain().drop(found.statement), found.user.body[0]
        draft.add_lines(
            first.lineno, indent_of(found.module, first) + found.module.text(found.statement)
        )
        yield draft


RULES = (Rule("haiku-untransformed", raised(untransformed), transform),)
