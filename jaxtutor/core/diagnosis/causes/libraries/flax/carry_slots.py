"""Matches and fixes `nnx.scan` whose axes carry the values and go through the carry."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.causes.libraries.flax.slots import SCANS, is_carry, scanning
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import InContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.engine.transforms import resolve
from jaxtutor.core.diagnosis.reading.calls import keyword_value
from jaxtutor.core.diagnosis.reading.functions import parameter_names, result_of
from jaxtutor.core.diagnosis.reading.library_calls import is_module_of

_CARRY_NAMES = frozenset({"carry", "state", "hidden", "h"})


class ValuesAsCarry(InContext, frozen=True, kw_only=True):
    """The axes of `nnx.scan`, with the slot of the carry and the one that it belongs in."""

    module: Module
    slot: ast.expr
    other: ast.expr


class ThreeArguments(InContext, frozen=True, kw_only=True):
    """A function of a module, a carry and values, under `nnx.scan` without axes at `node`."""

    module: Module
    node: ast.expr
    is_stack: bool


def values_as_carry(context: FailureContext) -> InContext | None:
    """The axes of `nnx.scan` mark the array to go through as the carry, and the carry as that."""
    return _default_axes(context) or _swapped_axes(context)


def _default_axes(context: FailureContext) -> ThreeArguments | None:
    """Match a call with three arguments, for which the default axes have no third entry."""
    frame, call = context.frame, context.call
    if frame is None or call is None or "different lengths of tuple" not in context.message:
        return None
    function = resolve(frame.module, call.func, call)
    bare = [d for d in getattr(function, "decorator_list", []) if frame.module.dotted(d) in SCANS]
    names = parameter_names(function)
    if len(bare) != 1 or len(names) != 3 or len(call.args) != 3:
        return None
    if not is_module_of("nnx", frame, call.args[0]):
        return None
    module, text = frame.module, frame.module.text(bare[0])
    nnx = text.rpartition(".")[0]
    is_stack = any(module.dotted(n) == "flax.nnx.vmap" for n in module.nodes)
    first = "0" if is_stack else "None"
    carry = f"{nnx}.Carry" if nnx else "Carry"
    facts = {
        "name": names[0],
        "function": text,
        "argument": f"@{text}(in_axes=({first}, {carry}, 0))",
    }
    place = module.location(bare[0])
    return ThreeArguments(
        place, facts, "default", context=context, module=module, node=bare[0], is_stack=is_stack
    )


def _swapped_axes(context: FailureContext) -> ValuesAsCarry | None:
    for frame in reversed(context.frames):
        applied = scanning(frame.module, frame.function)
        axes = keyword_value(applied, "in_axes") if applied is not None else None
        if applied is None:
            continue
        names = parameter_names(frame.function)
        if not isinstance(axes, ast.Tuple) or len(axes.elts) != len(names):
            return None
        carried = [n for n, item in enumerate(axes.elts) if is_carry(frame.module, item)]
        taken = [n for n, item in enumerate(axes.elts) if getattr(item, "value", None) == 0]
        meant = [
            n for n in taken if len(carried) == 1 and _slots_swapped(frame, names, carried[0], n)
        ]
        if len(meant) != 1:
            return None
        return _values_as_carry(context, frame, axes, (carried[0], meant[0]), names)
    return None


def _slots_swapped(frame: FrameContext, names: list[str], carried: int, taken: int) -> bool:
    """Return whether the function, or what it gets, shows that two slots are swapped.

    The values to go through keep an axis that they lose in a scan, and the carry loses one.
    """
    first, second = (_array_rank(frame, names[n]) for n in (carried, taken))
    if first is None or second is None or names[carried] in _CARRY_NAMES:
        return False
    result = result_of(frame.function) if frame.function is not None else None
    returned = result.elts[0] if isinstance(result, ast.Tuple) and result.elts else None
    is_named = names[taken] in (path_of(returned), *_CARRY_NAMES)
    return first == second + 2 or (is_named and first > second)


def _array_rank(frame: FrameContext, name: str) -> int | None:
    fact = frame.fact(name)
    if fact is None or fact.kind not in ("tracer", "array"):
        return None
    shape = fact.detail.partition("[")[2].rstrip("]")
    return shape.count(",") + 1 if shape else 0


def _values_as_carry(
    context: FailureContext,
    frame: FrameContext,
    axes: ast.Tuple,
    slots: tuple[int, int],
    names: list[str],
) -> ValuesAsCarry:
    module, order = frame.module, list(axes.elts)
    first, second = slots
    order[first], order[second] = order[second], order[first]
    facts = {
        "name": names[first],
        "container": names[second],
        "argument": f"in_axes=({', '.join(map(module.text, order))})",
    }
    return ValuesAsCarry(
        module.location(axes),
        facts,
        context=context,
        module=module,
        slot=axes.elts[first],
        other=axes.elts[second],
    )


def carry_in_its_slot(found: InContext) -> Drafts:
    """Swap the two entries, or write the axes of three arguments."""
    if isinstance(found, ThreeArguments) and "." in found.facts["function"]:
        text = found.facts["argument"].removeprefix("@")
        draft = Draft(found.module).replace(found.node, text)
        yield draft if found.is_stack else draft.certain()
    if not isinstance(found, ValuesAsCarry):
        return
    draft, module = Draft(found.module).certain(), found.module
    draft.replace(found.slot, module.text(found.other))
    yield draft.replace(found.other, module.text(found.slot))


RULES = (Rule("nnx-scan-carries-values", raised(values_as_carry), carry_in_its_slot),)
