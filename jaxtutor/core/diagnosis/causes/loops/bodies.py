"""Matches and fixes the parameters of loop bodies, and what the condition of a loop returns."""

from __future__ import annotations

import ast
import re

from msgspec.structs import replace

from jaxtutor.core.diagnosis.causes.loops.loops import InLoop, in_loop
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom, swap_nodes
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import FunctionNode, path_of
from jaxtutor.core.diagnosis.engine.transforms import (
    AppliedTransform,
    definition_place,
    function_argument,
    name_of,
    result_place,
)
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import parameter_names, result_of
from jaxtutor.core.diagnosis.reading.names import bound_value

_INDEX_NAMES = frozenset(
    {"i", "j", "k", "n", "idx", "index", "it", "iteration", "step", "t", "_i", "ii"}
)


def counter_as_state(context: FailureContext) -> InLoop | None:
    """The counter of a loop is differentiated, because it stands where the state belongs."""
    found = in_loop(context, "fori_loop", "scan")
    if found is None or found.loop is None or found.function is None:
        return None
    names = parameter_names(found.function)
    argument_at = argument(context.call, 0) if context.call is not None else None
    if len(names) != 2 or not isinstance(argument_at, ast.Name) or argument_at.id != names[0]:
        return None
    if context.frame is None or context.frame.function is not found.function:
        return None
    place = definition_place(found.loop.module, found.function)
    if found.loop.kind == "scan":
        init = argument(found.loop.call, 1, "init") if found.loop.call is not None else None
        made = bound_value(found.loop.module, init) if init is not None else None
        path = found.loop.module.dotted(made.func) if isinstance(made, ast.Call) else ""
        if init is None or path != "jax.numpy.arange":
            return None
        place = found.loop.module.location(found.loop.node)
    order = {"fori_loop": "body(i, state)", "scan": "scan(f, init, xs)"}[found.loop.kind]
    facts = {"name": names[0], "argument": order}
    return replace(found, place=place, facts=facts)


def state_for_counter(found: InLoop) -> Drafts:
    """Put the state where the counter stands: in the body of a fori_loop, or in a scan's call."""
    call = found.loop.call if found.loop is not None else None
    if found.loop is None or call is None:
        return
    if found.loop.kind == "fori_loop":
        yield from swap_parameters(found)
        return
    init, xs = argument(call, 1, "init"), argument(call, 2, "xs")
    if init is not None and xs is not None:
        yield swap_nodes(found.loop.module, init, xs)


def fori_swapped(context: FailureContext) -> InLoop | None:
    """The body of a fori_loop takes the state first and the index second."""
    found = in_loop(context, "fori_loop")
    if found is None or found.loop is None or found.function is None:
        return None
    names = parameter_names(found.function)
    if len(names) != 2 or not _parameters_swapped(found.function, *names):
        return None
    facts = {"function": name_of(found.function), "argument": names[0]}
    return replace(found, place=definition_place(found.loop.module, found.function), facts=facts)


def _parameters_swapped(function: FunctionNode, first: str, second: str) -> bool:
    """Return whether a body uses its first parameter as the state and its second as the index."""
    if second in _INDEX_NAMES and first not in _INDEX_NAMES:
        return True
    return _is_taken_apart(function, first) and not _is_taken_apart(function, second)


def _is_taken_apart(function: FunctionNode, name: str) -> bool:
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript) and path_of(node.value) == name:
            return True
        if isinstance(node, ast.Assign) and path_of(node.value) == name:
            return isinstance(node.targets[0], ast.Tuple | ast.List)
    return False


def swap_parameters(found: InLoop) -> Drafts:
    """Let the body of a fori_loop take the index first."""
    if found.loop is None or found.function is None or len(found.function.args.args) != 2:
        return
    first, second = found.function.args.args
    yield swap_nodes(found.loop.module, first, second).certain()


def while_cond(context: FailureContext) -> InLoop | None:
    """The condition of a while_loop is not one boolean."""
    found = in_loop(context, "while_loop")
    test = function_argument(found.loop, 0, "cond_fun") if found and found.loop else None
    if found is None or found.loop is None or test is None:
        return found
    body = function_argument(found.loop, 1, "body_fun")
    if body is not None and _is_condition(result_of(body)) and not _is_condition(result_of(test)):
        return _swapped_functions(found, found.loop)
    place = result_place(found.loop.module, test)
    return replace(found, place=place, facts={"function": name_of(test)}, function=test)


def _is_condition(value: ast.expr | None) -> bool:
    """Return whether an expression compares, or joins comparisons."""
    match value:
        case ast.Compare() | ast.UnaryOp(op=ast.Not() | ast.Invert()):
            return True
        case ast.BoolOp(values=parts):
            return all(map(_is_condition, parts))
        case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr(), right=right):
            return _is_condition(left) and _is_condition(right)
        case _:
            return False


def _swapped_functions(found: InLoop, loop: AppliedTransform) -> InLoop | None:
    """Return the call of a while_loop that gets its body in the place of its condition."""
    call = loop.call
    if call is None or len(call.args) < 2:
        return found
    first, second = (loop.module.text(given) for given in call.args[:2])
    others = [loop.module.text(given) for given in call.args[2:]]
    written = f"{loop.module.text(call.func)}({', '.join([second, first, *others])})"
    facts = {"name": first, "condition": second, "argument": written}
    return replace(found, place=loop.module.location(call), facts=facts, form="swapped")


def scalar_condition(found: InLoop) -> Drafts:
    """Make the condition of a while_loop one boolean, or the first of the two functions."""
    call = found.loop.call if found.loop is not None and found.form == "swapped" else None
    if call is not None and found.loop is not None:
        yield swap_nodes(found.loop.module, *call.args[:2]).certain()
        return
    value = result_of(found.function) if found.function is not None else None
    if found.loop is None or value is None:
        return
    module, text = found.loop.module, found.loop.module.text(value)
    said = found.context.message
    is_numeric = "bool[]" not in said and re.search(r"(?:int|float)\d+\[\]", said)
    if isinstance(value, ast.Tuple):
        parts = [atom(module, item) for item in value.elts]
        yield Draft(module).replace(value, " & ".join(parts))
    elif is_numeric:
        yield Draft(module).replace(value, f"{atom(module, value)} != 0")
    else:
        for name in ("any", "all"):
            draft = Draft(module)
            yield draft.replace(value, f"{draft.name('jax.numpy.' + name)}({text})")


RULES = (
    Rule(
        "loop-counter-as-state",
        raised(counter_as_state),
        state_for_counter,
        before=("fori-body-args-swapped",),
    ),
    Rule("fori-body-args-swapped", raised(fori_swapped), swap_parameters),
    Rule("while-cond-not-scalar-bool", raised(while_cond), scalar_condition),
)
