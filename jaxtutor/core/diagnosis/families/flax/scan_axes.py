"""Matches and mends scans that go over the batch of their sequences, and not over the time."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.families.arguments.shapes import shapes_in
from jaxtutor.core.diagnosis.families.flax.lifted import lifting
from jaxtutor.core.diagnosis.reading import argument, bound_value, keyword_of
from jaxtutor.core.diagnosis.rewriting.expressions import add_argument
from jaxtutor.core.diagnosis.rules import Drafts, InContext
from jaxtutor.core.diagnosis.source import Module, path_of


class ScanOverBatch(InContext, frozen=True, kw_only=True):
    """A call that goes over the first axis of sequences, which counts the examples.

    `scan` is the call of `nn.scan` or `jax.lax.scan`, in the file `home`; `sequences` is what a
    call of `jax.lax.scan` goes over, and None for `nn.scan`.
    """

    home: Module
    scan: ast.Call
    sequences: ast.expr | None
    is_output_used: bool


def scan_over_batch(context: FailureContext) -> ScanOverBatch | None:
    """The body of a scan combines an array for each example with one for each step."""
    leading = [sizes[0] for sizes in map(_sizes, shapes_in(context.message)) if sizes]
    if len(set(leading)) != 2:
        return None
    for frame in reversed(context.frames):
        call = frame.node
        if not isinstance(call, ast.Call):
            continue
        if frame.callee(call) == "jax.lax.scan":
            xs = argument(call, 2, "xs")
            return _found(context, frame, xs, leading, (frame.module, call), xs)
        scans = [f for f in lifting(context, "scan") if _goes_over_first(f[1])]
        if len(scans) == 1 and _applies(frame.module, call, scans[0][1]):
            matches = (_found(context, frame, a, leading, scans[0], None) for a in call.args)
            found = [match for match in matches if match is not None]
            if len(found) == 1:
                return found[0]
    return None


def _applies(module: Module, call: ast.Call, scan: ast.Call) -> bool:
    """Return whether a call calls what `nn.scan` made: a class, an object of it, or a function."""
    node: ast.AST = call
    while isinstance(node, ast.Call) and node is not scan:
        node = node.func
    if isinstance(node, ast.Name):
        made = [bound_value(module, node)]
        made += [n for n in ast.walk(module.tree) if getattr(n, "name", "") == node.id]  # type: ignore[misc]
        return any(part is scan for value in made for part in ast.walk(value))
    return node is scan or path_of(node) is not None


def _found(
    context: FailureContext,
    frame: FrameContext,
    xs: ast.expr | None,
    leading: list[int],
    scan: tuple[Module, ast.Call],
    sequences: ast.expr | None,
) -> ScanOverBatch | None:
    fact = frame.fact(xs)
    sizes = _sizes(fact.detail.partition("[")[2]) if fact is not None else []
    if xs is None or len(sizes) < 3 or set(leading) != {sizes[0], sizes[1]}:
        return None
    home, call = scan
    text = frame.module.text(xs)
    facts = {
        "name": text,
        "aval": fact.detail if fact is not None else "",
        "function": home.text(call.func) if sequences is not None else "nn.scan",
        "detail": str(sizes[0]),
        "argument": f"jnp.swapaxes({text}, 0, 1)" if sequences is not None else "in_axes=1",
    }
    statement = frame.module.statement(call)
    return ScanOverBatch(
        home.location(call),
        facts,
        "" if sequences is not None else "linen",
        context=context,
        home=home,
        scan=call,
        sequences=sequences,
        is_output_used=not _drops_output(statement),
    )


def _sizes(text: str) -> list[int]:
    return [int(size) for size in re.findall(r"\d+", text)]


def _goes_over_first(call: ast.Call) -> bool:
    """Return whether `nn.scan` goes over the first axis: its default, or said so."""
    axes = keyword_of(call, "in_axes")
    value = axes.value if axes is not None else ast.Constant(0)
    return isinstance(value, ast.Constant) and value.value == 0


def _drops_output(statement: ast.stmt | None) -> bool:
    """Return whether the outputs of the steps are assigned to `_`."""
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=[_, ast.Name(id="_")])]):
            return True
    return False


def scan_over_time(found: ScanOverBatch) -> Drafts:
    """Go over the second axis, and put the outputs of the steps there."""
    draft = Draft(found.home)
    if found.sequences is not None:
        swap = draft.name("jax.numpy.swapaxes")
        draft.wrap(found.sequences, f"{swap}(", ", 0, 1)")
        yield draft if found.is_output_used else draft.certain()
        return
    for name in ("in_axes", "out_axes"):
        given = keyword_of(found.scan, name)
        if given is None:
            add_argument(draft, found.scan, f"{name}=1")
        elif isinstance(given.value, ast.Constant) and given.value.value == 0:
            draft.replace(given.value, "1")
    yield draft.certain()
