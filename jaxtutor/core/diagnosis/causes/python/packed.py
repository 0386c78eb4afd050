"""Lets a function take several of its arguments as one tuple, which it unpacks itself."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.editing.draft import Draft
from jaxtutor.core.diagnosis.editing.expressions import fresh_name, indent_of
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.engine.transforms import find
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.names import bound_value


def take_packed(
    module: Module, function: ast.FunctionDef, extra: Sequence[ast.arg], name: str
) -> Draft:
    """Replace some parameters by one, and unpack that at the start of the function."""
    first, last = module.span(extra[0]), module.span(extra[-1])
    draft = Draft(module).certain()
    draft.replace(Span(first.line, first.column, last.end_line, last.end_column), name)
    names = ", ".join(a.arg for a in extra)
    start = function.body[0]
    is_docstring = isinstance(start, ast.Expr) and isinstance(start.value, ast.Constant)
    start = function.body[1] if is_docstring and len(function.body) > 1 else start
    return draft.before(start, f"{names} = {name}\n{indent_of(module, start)}")


def take_element(context: FailureContext) -> Draft | None:
    """Let the body of a scan over a tuple of arrays take one element, which is a tuple."""
    scan = find(context, "scan")
    body = scan.function if scan is not None else None
    xs = argument(scan.call, 2, "xs") if scan is not None and scan.call is not None else None
    packed = bound_value(scan.module, xs) if scan is not None and xs is not None else None
    if scan is None or not isinstance(body, ast.FunctionDef) or not isinstance(packed, ast.Tuple):
        return None
    extra = body.args.args[1:]
    is_plain = not (body.args.defaults or body.args.kwonlyargs or body.args.posonlyargs)
    if not is_plain or len(extra) < 2 or len(extra) != len(packed.elts):
        return None
    return take_packed(scan.module, body, extra, fresh_name(scan.module, "x", "element", "parts"))
