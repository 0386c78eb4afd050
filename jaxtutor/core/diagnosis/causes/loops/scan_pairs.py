"""Matches and fixes scans whose body does not return a pair of carry and output."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from jaxtutor.core.diagnosis.causes.loops.loops import InLoop, in_loop
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform, name_of, result_place
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import result_of
from jaxtutor.core.diagnosis.reading.names import bound_value


def scan_body_not_pair(context: FailureContext) -> InLoop | None:
    """The body of a scan does not return a pair."""
    found = in_loop(context, "scan")
    if found is None or found.loop is None or found.function is None:
        return found
    place = result_place(found.loop.module, found.function)
    return replace(found, place=place, facts={"function": name_of(found.function)})


def return_pair(found: InLoop) -> Drafts:
    """Return the carry and an output from the body of a scan."""
    loop, body = found.loop, found.function
    value = result_of(body) if body is not None else None
    if loop is None or value is None:
        return
    module, text = loop.module, loop.module.text(value)
    grouped = _grouped(loop, value)
    if grouped is not None:
        yield Draft(module).replace(value, grouped)
        return
    carry = f"({text})" if isinstance(value, ast.Tuple) and text[:1] != "(" else text
    for extra in scan_outputs(loop, atom(module, value) if isinstance(value, ast.Tuple) else text):
        pair = f"{carry}, {extra}"
        text = f"({pair})" if isinstance(body, ast.Lambda) else pair
        draft = Draft(module).replace(value, text)
        yield draft.certain() if extra == "None" and not _is_output_read(loop) else draft


def _grouped(loop: AppliedTransform, value: ast.expr) -> str | None:
    """Write `a, b, y` for a carry of two as `(a, b), y`."""
    init = argument(loop.call, 1, "init") if loop.call is not None else None
    start = bound_value(loop.module, init) if init is not None else None
    if not isinstance(value, ast.Tuple) or not isinstance(start, ast.Tuple):
        return None
    if len(value.elts) != len(start.elts) + 1:
        return None
    texts = [loop.module.text(item) for item in value.elts]
    return f"({', '.join(texts[:-1])}), {texts[-1]}"


def scan_outputs(loop: AppliedTransform, carry: str) -> list[str]:
    """List what a scan may output: nothing where its caller drops it, else the carry."""
    parent = loop.module.parents.get(loop.node)
    target = parent.targets[0] if isinstance(parent, ast.Assign) else None
    second = target.elts[1] if isinstance(target, ast.Tuple) and len(target.elts) == 2 else None
    is_used = isinstance(second, ast.Name) and not second.id.startswith("_")
    return [carry, "None"] if is_used else ["None", carry]


def _is_output_read(loop: AppliedTransform) -> bool:
    """Return whether the caller of a scan may read its second result."""
    match loop.module.parents.get(loop.node):
        case ast.Assign(targets=[ast.Tuple(elts=[_, ast.Name(id=name)])]):
            return name != "_"
        case ast.Subscript(slice=ast.Constant(value=0)) | ast.Expr():
            return False
    return True
