"""Matches and fixes inputs that every round of `nn.scan` needs whole, and that it takes apart."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.causes.libraries.flax.lifted import lifting
from jaxtutor.core.diagnosis.causes.libraries.flax.scan_axes import applies, goes_over_first
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import InContext
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import keyword_of

_LENGTH = re.compile(r"`length` argument of (\d+)")


class TakenApart(InContext, frozen=True, kw_only=True):
    """A call of `nn.scan` that takes apart an input which no axis of fits the number of rounds."""

    module: Module
    scan: ast.Call
    axes: str


def taken_apart(context: FailureContext) -> TakenApart | None:
    """An input of scanned layers has another length than there are layers."""
    said = _LENGTH.search(context.message)
    if said is None:
        return None
    for frame in reversed(context.frames):
        call = frame.node
        scans = [f for f in lifting(context, "scan") if goes_over_first(f[1])]
        if not isinstance(call, ast.Call) or len(scans) != 1 or len(call.args) < 2:
            continue
        if frame.callee(call) == "jax.lax.scan":
            return None
        if applies(frame.module, call, scans[0][1]):
            return _taken_apart(context, frame, call, scans[0], said[1])
    return None


def _taken_apart(
    context: FailureContext,
    frame: FrameContext,
    call: ast.Call,
    scan: tuple[Module, ast.Call],
    length: str,
) -> TakenApart | None:
    home, made = scan
    shapes = [_array_sizes(frame, given) for given in call.args[1:]]
    whole = [n for n, sizes in enumerate(shapes) if sizes and length not in sizes]
    if not whole or any(not sizes or (sizes[0] != length and length in sizes) for sizes in shapes):
        return None
    broadcast = f"{home.text(made.func).rpartition('.')[0] or 'nn'}.broadcast"
    axes = [broadcast if n in whole else "0" for n in range(len(shapes))]
    given = call.args[1 + whole[0]]
    facts = {
        "name": frame.module.text(given),
        "detail": shapes[whole[0]][0],
        "aval": f"[{','.join(shapes[whole[0]])}]",
        "argument": f"in_axes={axes[0] if len(axes) == 1 else '(' + ', '.join(axes) + ')'}",
        "condition": length,
    }
    place = home.location(made)
    return TakenApart(
        place, facts, "linen", context=context, module=home, scan=made, axes=facts["argument"]
    )


def _array_sizes(frame: FrameContext, node: ast.expr) -> list[str]:
    fact = frame.fact(node)
    return re.findall(r"\d+", fact.detail.partition("[")[2]) if fact is not None else []


def hand_whole(found: TakenApart) -> Drafts:
    """Hand the input to every round."""
    given = keyword_of(found.scan, "in_axes")
    draft = Draft(found.module).certain()
    if given is None:
        yield add_argument(draft, found.scan, found.axes)
    else:
        yield draft.replace(given.value, found.axes.removeprefix("in_axes="))
