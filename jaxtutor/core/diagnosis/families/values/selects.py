"""Matches and mends `jax.lax.select` between arrays that would have to be broadcast."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.context import FailureContext
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.rewriting.expressions import atom
from jaxtutor.core.diagnosis.rules import AtCall, Drafts, at_call

_MASK = re.compile(r"got `which` shape (\([\d, ]*\)) but case shape (\([\d, ]*\))")
_CASES = re.compile(r"select cases must have the same shapes, got \[(.*)\]")
_TYPE = re.compile(r"must be boolean or integer type, got (\w+)")

Shape = tuple[int, ...]


class Selection(AtCall, frozen=True, kw_only=True):
    """A call of `jax.lax.select`; `condition` is its first argument.

    `axes` is how many axes the condition lacks at its end to be broadcast. It is `ambiguous` if the
    condition also fits along the last axes.
    """

    condition: ast.expr
    axes: int = 0
    ambiguous: bool = False


def select_shapes(context: FailureContext) -> Selection | None:
    """The condition and the cases of `jax.lax.select` have different shapes."""
    call = at_call(context)
    if call is None or call.path != "jax.lax.select" or len(call.node.args) != 3:
        return None
    condition = call.node.args[0]
    text = call.module.text(condition)
    mask, cases = _MASK.search(context.message), _CASES.search(context.message)
    kind = _TYPE.search(context.message)
    axes, ambiguous = 0, False
    if mask is not None:
        axes, ambiguous = _missing_axes(_shape(mask[1]), _shape(mask[2]))
        detail, form = f"the condition has the shape {mask[1]} and the cases {mask[2]}", ""
    elif cases is not None:
        shapes = re.findall(r"\([\d, ]*\)", cases[1])
        detail, form = f"the cases have the shapes {' and '.join(shapes)}", ""
    elif kind is not None:
        detail, form = kind[1], "type"
    else:
        return None
    index = f"[{', '.join(['...'] + ['None'] * axes)}]" if axes else ""
    rest = ", ".join(call.module.text(a) for a in call.node.args[1:])
    facts = {"detail": detail, "name": text, "function": call.module.text(call.node.func)}
    facts["argument"] = (
        f"jnp.where({atom(call.module, condition) if axes else text}{index}, {rest})"
    )
    return Selection(
        None,
        facts,
        form,
        context=context,
        frame=call.frame,
        node=call.node,
        path=call.path,
        condition=condition,
        axes=axes,
        ambiguous=ambiguous,
    )


def _shape(text: str) -> Shape:
    return tuple(map(int, re.findall(r"\d+", text)))


def _missing_axes(mask: Shape, case: Shape) -> tuple[int, bool]:
    """Count the axes to add at the end of a mask that has the first axes of the cases."""
    fits_last = len(mask) <= len(case) and all(
        m in (1, c) for m, c in zip(mask[::-1], case[::-1], strict=False)
    )
    is_first = len(mask) < len(case) and case[: len(mask)] == mask
    return (len(case) - len(mask), fits_last) if is_first else (0, False)


def broadcast_selection(found: Selection) -> Drafts:
    """Write `jnp.where`, which broadcasts, with the axes that the condition lacks."""
    draft, module = Draft(found.module), found.module
    if found.form == "type":
        yield draft.replace(found.condition, f"{atom(module, found.condition)} != 0")
        return
    draft.replace(found.node.func, draft.name("jax.numpy.where"))
    if found.axes:
        index = f"[{', '.join(['...'] + ['None'] * found.axes)}]"
        draft.replace(found.condition, atom(module, found.condition) + index)
    yield draft if found.ambiguous else draft.certain()
