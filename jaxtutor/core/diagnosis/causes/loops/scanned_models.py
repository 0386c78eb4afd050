"""Lets a scan go through the arrays of stacked Equinox modules, without their functions."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft
from jaxtutor.core.diagnosis.editing.expressions import fresh_name
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.engine.transforms import resolve
from jaxtutor.core.diagnosis.reading.calls import argument

_XS = 2
"""The position of what a scan goes through."""


def scan_arrays(context: FailureContext, model: ast.expr | None) -> Draft | None:
    """Split stacked modules before the body is defined, and put each together in the body."""
    frame, call = context.frame, context.call
    if frame is None or call is None or frame.callee(call) != "jax.lax.scan":
        return None
    module, given, scanned = frame.module, argument(call, 0, "f"), argument(call, _XS, "xs")
    body = resolve(module, given, call) if given is not None else None
    if scanned is None or scanned is not model or not isinstance(body, ast.FunctionDef):
        return None
    is_near = module.scope(body) is module.scope(call) and len(body.args.args) == _XS
    if not is_near:
        return None
    draft = Draft(module)
    names = {name: draft.name(f"equinox.{name}") for name in ("partition", "combine", "is_array")}
    dynamic, static = fresh_name(module, "dynamic", "arrays"), fresh_name(module, "static", "rest")
    part, text = body.args.args[1].arg, module.text(scanned)
    split = f"{dynamic}, {static} = {names['partition']}({text}, {names['is_array']})"
    draft.add_lines(body.lineno, f"{_indent(module, body)}{split}\n")
    first = body.body[0]
    joined = f"{part} = {names['combine']}({part}, {static})"
    draft.add_lines(first.lineno, f"{_indent(module, first)}{joined}")
    return draft.replace(scanned, dynamic).certain()


def _indent(module: Module, statement: ast.stmt) -> str:
    return " " * module.span(statement).column
