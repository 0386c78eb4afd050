"""Matches and fixes `nnx.scan` whose axes take the module for the carry."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument, swap_nodes
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import InContext
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, path_of
from jaxtutor.core.diagnosis.reading.calls import keyword_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names, result_of
from jaxtutor.core.diagnosis.reading.library_calls import is_module_of

SCANS = ("flax.nnx.scan", "flax.nnx.transforms.iteration.scan")
_CARRIES = ("flax.nnx.Carry", "flax.nnx.transforms.iteration.Carry")


class ModuleAsCarry(InContext, frozen=True, kw_only=True):
    """A call of `nnx.scan` with the carry in the slot of the module; `axes` are its `in_axes`."""

    module: Module
    call: ast.Call
    axes: ast.Tuple | None
    is_alone: bool  # the function returns the carry, and no output beside it


class SwappedArguments(InContext, frozen=True, kw_only=True):
    """A call of a scanned function with the array where its parameters have the module."""

    module: Module
    node: ast.Call


def module_as_carry(context: FailureContext) -> InContext | None:
    """The axes of `nnx.scan` make the module the carry, and its function returns an array."""
    for frame in reversed(context.frames):
        applied = scanning(frame.module, frame.function)
        if applied is None or frame.function is None:
            continue
        axes = keyword_of(applied, "in_axes")
        value = axes.value if axes is not None else None
        if value is not None and not isinstance(value, ast.Tuple):
            return None
        slot = 0 if value is None else _carry_slot(frame.module, value)
        names = parameter_names(frame.function)
        if len(names) != 2 or (value is not None and len(value.elts) != len(names)):
            return None
        if slot is None or not is_module_of("nnx", frame, names[slot]):
            return None
        if path_of(getattr(frame.node, "func", None)) == names[1 - slot]:
            return _swapped_in_call(context, frame, names[slot], names[1 - slot])
        return _module_as_carry(context, frame, applied, value, names[slot], names[1 - slot])
    return None


def _swapped_in_call(
    context: FailureContext, frame: FrameContext, module: str, array: str
) -> SwappedArguments | None:
    """Match a function that calls the array, as the module stands where the array belongs."""
    position = context.frames.index(frame)
    caller = context.frames[position - 1] if position else None
    call = caller.node if caller is not None else None
    if caller is None or not isinstance(call, ast.Call) or len(call.args) != 2 or call.keywords:
        return None
    home = caller.module
    given = f"{home.text(call.func)}({home.text(call.args[1])}, {home.text(call.args[0])})"
    facts = {
        "name": array,
        "container": module,
        "function": getattr(frame.function, "name", ""),
        "argument": given,
    }
    place = caller.place(call)
    return SwappedArguments(place, facts, "call", context=context, module=home, node=call)


def _module_as_carry(
    context: FailureContext,
    frame: FrameContext,
    call: ast.Call,
    axes: ast.Tuple | None,
    carry: str,
    other: str,
) -> ModuleAsCarry | None:
    result = result_of(frame.function) if frame.function is not None else None
    is_pair = isinstance(result, ast.Tuple) and len(result.elts) == 2
    returned = result.elts[0] if isinstance(result, ast.Tuple) and is_pair else result
    if returned is None or path_of(returned) == carry:
        return None  # the module itself is carried
    if frame.kind(other) not in ("tracer", "array"):
        return None
    module = frame.module
    slots = _swapped(module, axes) if axes is not None else "(0, nnx.Carry)"
    facts = {
        "name": carry,
        "container": other,
        "function": module.text(call.func),
        "argument": f"in_axes={slots}",
    }
    place = module.location(axes if axes is not None else call)
    return ModuleAsCarry(
        place, facts, context=context, module=module, call=call, axes=axes, is_alone=not is_pair
    )


def scanning(module: Module, function: FunctionNode | None) -> ast.Call | None:
    """Return the call that applies `nnx.scan` to a function, if it has options of its own."""
    if not isinstance(function, ast.FunctionDef):
        return None
    named = [node for node in module.calls if node.args and path_of(node.args[0]) == function.name]
    calls = [c for c in (*function.decorator_list, *named) if isinstance(c, ast.Call)]
    found = [c for c in calls if module.dotted(c.func) in SCANS]
    return found[0] if len(found) == 1 else None


def _carry_slot(module: Module, axes: ast.Tuple) -> int | None:
    slots = [n for n, item in enumerate(axes.elts) if is_carry(module, item)]
    return slots[0] if len(slots) == 1 else None


def is_carry(module: Module, item: ast.expr) -> bool:
    """Return whether an entry of the axes is `nnx.Carry`."""
    return module.dotted(item) in _CARRIES


def _swapped(module: Module, axes: ast.Tuple) -> str:
    first, second = axes.elts
    return f"({module.text(second)}, {module.text(first)})"


def _swap_arguments(found: SwappedArguments) -> Drafts:
    yield swap_nodes(found.module, *found.node.args).certain()


def _swap_axes(found: ModuleAsCarry) -> Drafts:
    draft = Draft(found.module).certain()
    if found.axes is not None:
        draft.replace(found.axes, found.facts["argument"].removeprefix("in_axes="))
    nnx = found.facts["function"].rpartition(".")[0]
    options = [] if found.axes is not None else [f"in_axes=(0, {nnx}.Carry)"]
    if found.is_alone and keyword_of(found.call, "out_axes") is None:
        options.append(f"out_axes={nnx}.Carry")
    if options and not nnx:
        return
    for option in options:
        add_argument(draft, found.call, option)
    yield draft


RULES = (
    Rule("nnx-scan-carries-module", raised(module_as_carry), by_match(_swap_arguments, _swap_axes)),
)
