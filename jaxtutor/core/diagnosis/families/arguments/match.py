"""Owns the causes in what may cross a jit boundary: unregistered classes, and None."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.families.static_args.match import unreadable_argument
from jaxtutor.core.diagnosis.reading import parameters
from jaxtutor.core.diagnosis.rules import Match
from jaxtutor.core.diagnosis.source import Location

_NOT_VALID = re.compile(r"of type '?<class '([^']*)'>'? is not a valid JAX type")
_NONE = ("NoneType", "None is not a valid", "got None")


def not_a_jax_type(context: FailureContext) -> Match | None:
    """An object of a class that is no pytree is passed to a transformed function."""
    if context.error != "TypeError":
        return None
    jitted = unreadable_argument(context)
    valid = _NOT_VALID.search(context.message)
    kind = jitted[0] if jitted is not None else valid[1] if valid is not None else None
    made = _own_class(context, kind) if kind is not None else None
    if kind is None or made is None:
        return None
    facts = {"name": kind.rpartition(".")[2]}
    if jitted is not None and jitted[1]:
        facts["argument"] = jitted[1]
    # Where the call is not the learner's, as in a lesson's checks, the class still is.
    return Match(made if context.frame is None else None, facts)


def _own_class(context: FailureContext, kind: str) -> Location | None:
    """Find the class of the learner's that a type's path names."""
    name = kind.rpartition(".")[2]
    for module in context.modules.values():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef) and node.name == name:
                span = module.header(node)
                return Location(module.file, span, module.text(span))
    return None


def none_argument(context: FailureContext) -> Match | None:
    """None stands for a missing array and is used as one."""
    if context.error not in ("TypeError", "AttributeError") or context.frame is None:
        return None
    if not any(word in context.message for word in _NONE):
        return None
    name = _none_name(context.frame)
    return Match(facts={"name": name, "argument": name}) if name else None


def _none_name(frame: FrameContext) -> str:
    """Name the parameter, or the attribute, that is None in the expression at fault."""
    given = {a.arg for a in parameters(frame.function)}
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


MATCHERS = (
    ("not-a-jax-type", not_a_jax_type),
    ("none-argument", none_argument),
)
