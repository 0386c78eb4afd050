"""Matches and fixes None where a value belongs."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from jaxtutor.core.diagnosis.causes.shapes.diffusion import (
    pass_args,
    solved_without_args,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import indent_of
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame, at_frame
from jaxtutor.core.diagnosis.engine.none_origins import none_origin
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.names import all_names


def none_argument(context: FailureContext) -> AtFrame | None:
    """None stands for a missing array and is used as one."""
    name = _none_name(context.frame) if context.frame is not None else ""
    solved = solved_without_args(context, name) if name else None
    if solved is not None:
        return solved
    found = at_frame(context, {"name": name, "argument": name}) if name else None
    return _with_origin(found) or found if found is not None else _local_none(context)


def _with_origin(found: AtFrame) -> AtFrame | None:
    """Point at the expression that made the None, if it is another one than that at fault."""
    frame, name = found.frame, found.facts["name"]
    origin = none_origin(found.context.frames, name) if name.isidentifier() else None
    if origin is None or frame.node is None:
        return None
    facts = {
        "name": name,
        "detail": str(frame.record.span.line),
        "condition": frame.module.text(frame.node),
    }
    return replace(found, place=origin.module.location(origin.node), facts=facts, form=origin.form)


def _local_none(context: FailureContext) -> AtFrame | None:
    """A variable of a function is None, and its origin is known."""
    frame = context.frame
    nodes = ast.walk(frame.node) if frame is not None and frame.node is not None else ()
    for node in nodes:
        if isinstance(node, ast.Name) and frame is not None and frame.kind(node) == "none":
            found = at_frame(context, {"name": node.id})
            return _with_origin(found) if found is not None else None
    return None


def _none_name(frame: FrameContext) -> str:
    """Name the parameter, or the attribute, that is None in the expression at fault."""
    given = set(parameter_names(frame.function))
    unpacked = frame.module.parents.get(frame.node) if isinstance(frame.node, ast.Tuple) else None
    value = unpacked.value if isinstance(unpacked, ast.Assign) else None
    if isinstance(value, ast.Name) and value.id in given and frame.kind(value) == "none":
        return value.id
    part = _only_part(frame.node)
    if part is not None and isinstance(part.value, ast.Name) and part.value.id in given:
        return frame.module.text(part)
    for node in ast.walk(frame.node) if frame.node is not None else ():
        if isinstance(node, ast.Name) and node.id in given and frame.kind(node) == "none":
            return node.id
        if isinstance(node, ast.Attribute) and frame.kind(node) == "none":
            return frame.module.text(node)
    return ""


def _only_part(node: ast.AST | None) -> ast.Subscript | None:
    """Find the one part of a parameter (`p["b"]`) among the operands of an operation."""
    operands = [node.left, node.right] if isinstance(node, ast.BinOp) else []
    parts = [n for n in operands if isinstance(n, ast.Subscript)]
    return parts[0] if len(parts) == 1 else None


def only_if_given(found: AtFrame) -> Drafts:
    """Update with what may be None only where it is given."""
    frame, statement = found.frame, found.frame.statement
    if not isinstance(statement, ast.Assign | ast.AugAssign):
        return
    target = statement.target if isinstance(statement, ast.AugAssign) else statement.targets[0]
    reads = all_names(statement.value)
    is_update = isinstance(statement, ast.AugAssign) or getattr(target, "id", None) in reads
    given = set(parameter_names(frame.function))
    missing = [name for name in sorted(reads & given) if frame.kind(name) == "none"]
    if is_update and len(missing) == 1:
        indent = indent_of(frame.module, statement)
        draft = Draft(frame.module)
        yield draft.before(statement, f"if {missing[0]} is not None:\n{indent}    ")


RULES = (Rule("none-argument", raised(none_argument), by_match(only_if_given, pass_args)),)
