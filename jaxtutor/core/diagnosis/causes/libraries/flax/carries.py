"""Matches and fixes carries that do not fit the recurrent cell of Flax that gets them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.libraries.flax.lifted import lifting
from jaxtutor.core.diagnosis.causes.libraries.flax.scan_axes import applies
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.engine.transforms import resolve
from jaxtutor.core.diagnosis.reading.calls import argument_for, keyword_value, method_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names, result_of
from jaxtutor.core.diagnosis.reading.library_calls import is_module_of
from jaxtutor.core.diagnosis.reading.names import assigned_value, last_part

_CELL = re.compile(r"^flax\.\w+(?:\.nn)?\.recurrent\.(\w+Cell)\.__call__$")
_RNN = re.compile(r"^flax\.\w+(?:\.nn)?\.recurrent\.RNN\.__call__$")
_UNPAIRED = re.compile(r"to unpack|component of the carry output is a <class 'tuple'>")
_PAIRS = ("LSTMCell", "OptimizedLSTMCell", "ConvLSTMCell")
_ARRAYS = ("array", "tracer", "ndarray")
_FULL = tuple(
    f"{home}.{name}"
    for home in ("jax.numpy", "numpy")
    for name in ("zeros", "ones", "zeros_like", "ones_like")
)
"""Functions that make an array of one number."""

# What the parameters have, and what the carry would need: of linen, and of NNX.
_SIZES = (
    re.compile(r"generate shape \([^)]*?(?P<carry>\d+)\), .*? has shape \([^)]*?(?P<cell>\d+)\)"),
    re.compile(r"same shape, got \((?P<carry>\d+),\) and \((?P<cell>\d+),\)"),
)


class UnfitCarry(AtFrame, frozen=True, kw_only=True):
    """A carry that a cell cannot take; `made` is where the file makes it, in `home`.

    `size` is the number of features that the cell has, if that is what differs.
    """

    node: ast.Call
    given: ast.expr
    home: Module
    made: ast.expr
    size: str


def carry_unfit(context: FailureContext) -> UnfitCarry | None:
    """A recurrent cell gets one array for a pair, a pair for one array, or another size."""
    frame, call = context.frame, context.call
    cell, is_loop = _cell(context)
    if frame is None or call is None or not cell:
        return None
    given = _carry_given(call, is_loop)
    if given is None:
        return None
    form, size = _difference(context, frame, call, given, cell)
    if not form:
        return None
    home, made = list(_sources(context, frame, given))[-1]
    is_made = form in ("pair", "single") or (form == "size" and _is_full(home, made))
    place = home.location(made) if is_made else frame.place(call)
    fact = frame.fact(given)
    facts = {
        "name": frame.module.text(given),
        "function": cell,
        "container": frame.module.text(call.func),
        "argument": size,
        "aval": fact.detail if fact is not None and fact.kind in _ARRAYS else "",
    }
    if form == "swapped":
        facts["argument"] = ", ".join(frame.module.text(a) for a in reversed(call.args))
    return UnfitCarry(
        place, facts, form, context=context, node=call, given=given, home=home, made=made, size=size
    )


def _cell(context: FailureContext) -> tuple[str, bool]:
    """Name the recurrent cell that failed, and say whether `RNN` called it.

    A loop that refuses the carry names no cell: it is the one that `nn.scan` was given.
    """
    names = context.failure.jax_frames
    cells = [said[1] for name in names if (said := _CELL.match(name)) is not None]
    is_refused = "component of the carry output" in context.message
    if cells or not is_refused or context.call is None or context.frame is None:
        return (cells[-1] if cells else ""), any(map(_RNN.match, names))
    module = context.frame.module
    for home, scan in lifting(context, "scan"):
        named = (home.dotted(scan.args[0]) or "") if scan.args else ""
        if named.startswith("flax.linen.") and applies(module, context.call, scan):
            return last_part(named), False
    return "", False


def _carry_given(call: ast.Call, is_loop: bool) -> ast.expr | None:
    if is_loop:
        return keyword_value(call, "initial_carry")
    named = keyword_value(call, "carry")
    return named if named is not None else call.args[0] if call.args else None


def _difference(
    context: FailureContext, frame: FrameContext, call: ast.Call, given: ast.expr, cell: str
) -> tuple[str, str]:
    """Return the form of the cause, and the number of features that the cell has."""
    is_pair = _is_tuple(frame, given)
    is_array = frame.kind(given) in _ARRAYS or _is_full(frame.module, given)
    second = call.args[1] if len(call.args) == 2 else None
    if cell in _PAIRS and not is_pair and second is not None and _is_tuple(frame, second):
        return "swapped", ""
    if cell in _PAIRS and not is_pair and _UNPAIRED.search(context.message):
        return "pair" if is_array else "", ""
    if cell not in _PAIRS and is_pair:
        return "single", ""
    for pattern in _SIZES:
        said = pattern.search(context.message)
        if said is not None and (is_array or is_pair) and _has_size(frame, given, said["carry"]):
            return "size", said["cell"]
    return "", ""


def _is_tuple(frame: FrameContext, node: ast.expr) -> bool:
    return isinstance(node, ast.Tuple | ast.List) or frame.kind(node) in ("tuple", "list")


def _has_size(frame: FrameContext, given: ast.expr, size: str) -> bool:
    """Return whether the last axis of an array has a size, as far as its type is known."""
    fact = frame.fact(given)
    is_known = fact is not None and fact.kind in _ARRAYS
    return not is_known or (fact is not None and fact.detail.endswith((f",{size}]", f"[{size}]")))


def _sources(
    context: FailureContext, frame: FrameContext, node: ast.expr
) -> Iterator[tuple[Module, ast.expr]]:
    """Yield what a value was given by: through names, own functions, and calls of `apply`."""
    position = context.frames.index(frame)
    yield frame.module, node
    while True:
        here = context.frames[position]
        value = assigned_value(here.module, node)
        if value is not None:
            node = value
            yield here.module, node
            continue
        passed = _parameter_value(context, position, node)
        if passed is not None:
            position, node = position - 1, passed
            yield context.frames[position].module, node
            continue
        function = resolve(here.module, node.func, node) if isinstance(node, ast.Call) else None
        result = result_of(function) if function is not None else None
        made = assigned_value(here.module, result) if isinstance(result, ast.Name) else result
        if made is not None:
            yield here.module, made
        return


def _parameter_value(context: FailureContext, position: int, node: ast.expr) -> ast.expr | None:
    """Return what the frame before passes for a parameter, also through `init` and `apply`."""
    here = context.frames[position]
    call = context.frames[position - 1].node if position else None
    names = parameter_names(here.function)
    is_given = isinstance(node, ast.Name) and node.id in names and isinstance(call, ast.Call)
    if not is_given or not isinstance(call, ast.Call) or here.function is None:
        return None
    assert isinstance(node, ast.Name)
    is_called = is_module_of("nnx", context.frames[position - 1], call.func)
    if not is_called and method_of(call) not in ("init", "init_with_output", "apply", "apply_fn"):
        return argument_for(here.function, call, node.id)
    # `self` stands where the key or the variables are passed; a module of NNX is called itself.
    index = names.index(node.id) - is_called
    named = keyword_value(call, node.id)
    return named if named is not None else call.args[index] if index < len(call.args) else None


def _is_full(module: Module, node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and module.dotted(node.func) in _FULL


def fit_carry(found: UnfitCarry) -> Drafts:
    """Give the cell the carry that it takes: a pair, one array, or one of its own size."""
    home, made, text = found.home, found.made, found.home.text(found.made)
    match found.form:
        case "swapped":
            first, second = found.node.args
            draft = Draft(found.module).certain().replace(first, found.module.text(second))
            yield draft.replace(second, found.module.text(first))
        case "pair" if _is_full(home, made):
            yield Draft(home).certain().replace(made, f"({text}, {text})")
        case "pair":
            draft, name = Draft(found.module), found.module.text(found.given)
            zeros = draft.name("jax.numpy.zeros_like")
            yield draft.replace(found.given, f"({zeros}({name}), {name})")
        case "single" if isinstance(made, ast.Tuple) and made.elts:
            parts = {ast.dump(part) for part in made.elts}
            draft = Draft(home).replace(made, home.text(made.elts[-1]))
            yield draft.certain() if len(parts) == 1 else draft
        case "size" if _is_full(home, made):
            last = _last_size(made)
            if last is not None:
                yield Draft(home).certain().replace(last, found.size)


def _last_size(made: ast.expr) -> ast.expr | None:
    """Return the size of the last axis, if the file writes it as a number."""
    shape = made.args[0] if isinstance(made, ast.Call) and made.args else None
    last = shape.elts[-1] if isinstance(shape, ast.Tuple) and shape.elts else shape
    return last if isinstance(last, ast.Constant) and isinstance(last.value, int) else None


RULES = (Rule("carry-unfit-for-cell", raised(carry_unfit), fit_carry),)
