"""Matches and fixes layers of Flax and Equinox that get an input of another size than they take."""

from __future__ import annotations

import ast
import math
import re
from functools import singledispatch

from msgspec import Struct

from jaxtutor.core.diagnosis.causes.shapes.cells import state_first
from jaxtutor.core.diagnosis.causes.shapes.layer_origins import (
    find_maker,
    input_size,
    output_size,
    previous_layer,
    whole_number,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtFrame, at_call
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.library_calls import known_fact
from jaxtutor.core.diagnosis.reading.names import bound_value

_PARTS = re.compile(r"same shape, got \((\d+),?\) and \((\d+),?\)")
_CHANNELS = re.compile(r"but (\d+) // 1 != (\d+)")

_INPUT_FIRST = {"flax": True, "haiku": True, "equinox": False}
"""Libraries whose layers multiply, and whether their input is the left operand."""


class MisfitLayer(AtCall, frozen=True, kw_only=True):
    """A call of a layer with an input of another size than the layer takes."""


class LayerSize(MisfitLayer, frozen=True, kw_only=True):
    """The layer is made in `home`, with the expression `size` for the size of its input.

    `meant` is what belongs there: the number of features of the input, or the expression that the
    layer before has for it. It is `derived` if the input is flattened, so that no other layer
    states its size.
    """

    home: Module
    size: ast.expr
    meant: str
    derived: bool


class Unflattened(MisfitLayer, frozen=True, kw_only=True):
    """The axes of each example together have the size that the layer takes."""

    given: ast.expr
    flat: str


class MovedChannels(MisfitLayer, frozen=True, kw_only=True):
    """The channels of an image are on another axis than the layer takes them on.

    The outermost call that passes the images is in `caller`, with the argument `given`.
    """

    caller: FrameContext
    given: ast.expr
    axes: str


def misfit_layer(context: FailureContext) -> AtFrame | None:
    """A layer of a library gets an input of another size than it was made for."""
    found = at_call(context)
    sizes = _input_sizes(context)
    if found is None or sizes is None:
        return None
    given, taken = sizes
    shape = _input_shape(found)
    return (
        _moved_channels(found, shape, given, taken)
        or _no_channels(found, shape, taken)
        or _unflattened(found, shape, given, taken)
        or _layer_size(found, given, taken)
        or _unknown(found, given, taken)
    )


def swapped_cell(context: FailureContext) -> AtFrame | None:
    """A recurrent cell gets its state before its input."""
    found, sizes = at_call(context), _input_sizes(context)
    return state_first(found, *sizes) if found is not None and sizes is not None else None


def _input_sizes(context: FailureContext) -> tuple[int, int] | None:
    """Return the size of the input and the one that the layer takes."""
    said, channels = _PARTS.search(context.message), _CHANNELS.search(context.message)
    if channels is not None:
        return int(channels[1]), int(channels[2])
    packages = [name.partition(".")[0] for name in context.failure.jax_frames]
    library = next((name for name in packages if name in _INPUT_FIRST), "")
    if said is None or not library:
        return None
    first, second = int(said[1]), int(said[2])
    return (first, second) if _INPUT_FIRST[library] else (second, first)


def _unknown(found: AtCall, given: int, taken: int) -> AtFrame:
    detail = f"the input has {given} elements along an axis where the layer takes {taken}"
    return MisfitLayer(None, {"detail": detail}, "layer", context=found.context, node=found.node)


# ---------------------------------------------------------------- the input


def _input_shape(found: AtCall) -> tuple[int, ...]:
    """Return the shape of the first argument; empty where it is not known."""
    given = found.node.args[0] if found.node.args else None
    fact = known_fact(found.context, found.frame, given)
    said = re.search(r"\[([\d,]+)\]$", fact.detail) if fact is not None else None
    return tuple(map(int, said[1].split(","))) if said is not None else ()


def _moved_channels(
    found: AtCall, shape: tuple[int, ...], given: int, taken: int
) -> MovedChannels | None:
    """Match a convolution over images whose channels are where another library has them."""
    if _CHANNELS.search(found.context.message) is None or taken == given:
        return None
    is_flax = found.context.library == "flax"
    axes = (1, -1) if is_flax else (-1, 0)
    if len(shape) not in ((3, 4) if is_flax else (2, 3)) or shape[axes[0]] != taken:
        return None
    caller, node = _passed_first(found)
    facts = {
        "name": caller.module.text(node),
        "argument": str(taken),
        "detail": str(shape),
        "condition": f"jnp.moveaxis({caller.module.text(node)}, {axes[0]}, {axes[1]})",
        "container": "Flax" if is_flax else "Equinox",
        "function": "last" if is_flax else "first",
    }
    return MovedChannels(
        caller.place(node),
        facts,
        "moved_channels",
        context=found.context,
        node=found.node,
        caller=caller,
        given=node,
        axes=f"{axes[0]}, {axes[1]}",
    )


class NoChannels(MovedChannels, frozen=True, kw_only=True):
    """Images of one channel that have no axis for it."""


def _no_channels(found: AtCall, shape: tuple[int, ...], taken: int) -> NoChannels | None:
    """Match a batch of images without an axis for their only channel."""
    made = find_maker(found, taken) if taken == 1 and found.context.library == "flax" else None
    size = argument(made, 2, "kernel_size") if made is not None else None
    size = bound_value(found.module, size) if size is not None else None
    if not isinstance(size, ast.Tuple | ast.List) or len(shape) != len(size.elts) + 1:
        return None
    if _CHANNELS.search(found.context.message) is None:
        return None
    caller, node = _passed_first(found)
    text = atom(caller.module, node)
    facts = {
        "name": caller.module.text(node),
        "detail": str(shape),
        "condition": f"{text}[..., None]",
        "container": found.module.text(found.node.func),
    }
    return NoChannels(
        caller.place(node),
        facts,
        "no_channels",
        context=found.context,
        node=found.node,
        caller=caller,
        given=node,
        axes="",
    )


def _passed_first(found: AtCall) -> tuple[FrameContext, ast.expr]:
    """Return the outermost call that passes the layer's input on, unchanged, and its argument."""
    frames = found.context.frames
    position, node = frames.index(found.frame), found.node.args[0]
    fact = found.frame.fact(node)
    while position > 0 and fact is not None:
        here, caller = frames[position], frames[position - 1]
        if not isinstance(node, ast.Name) or not _is_argument(here, node):
            break
        given = caller.node.args if isinstance(caller.node, ast.Call) else []
        alike = [a for a in given if (known := caller.fact(a)) and known.detail == fact.detail]
        if len(alike) != 1:
            break
        position, node = position - 1, alike[0]
    return frames[position], node


def _is_argument(frame: FrameContext, node: ast.Name) -> bool:
    """Return whether a name still is the argument that the function got."""
    if frame.function is None or node.id not in set(parameter_names(frame.function)):
        return False
    here = frame.module.statement(node)
    made = frame.module.assignments(node.id, frame.function)
    return all(here is not None and statement.lineno >= here.lineno for statement in made)


def _unflattened(
    found: AtCall, shape: tuple[int, ...], given: int, taken: int
) -> Unflattened | None:
    """Match an input whose axes, joined, have the size that the layer takes."""
    if not shape or shape[-1] != given or _CHANNELS.search(found.context.message) is not None:
        return None
    node, module = found.node.args[0], found.module
    if previous_layer(module, node) == "joined":
        return None
    text = atom(module, node)
    if found.context.library == "flax" and math.prod(shape[1:]) == taken and len(shape) > 2:
        first = f"{text}.shape[0]" if path_of(node) is not None else str(shape[0])
        flat = f"{text}.reshape({first}, -1)"
    elif math.prod(shape) == taken and len(shape) > 1:
        flat = f"{text}.reshape(-1)"
    else:
        return None
    facts = {
        "name": module.text(found.node.func),
        "argument": str(taken),
        "detail": str(shape),
        "condition": flat,
    }
    return Unflattened(
        None, facts, "unflattened", context=found.context, node=found.node, given=node, flat=flat
    )


# ---------------------------------------------------------------- where the layer is made


class _Stated(Struct, frozen=True):
    """Where a file states the size of a layer: in a call, or as the default of a parameter."""

    home: Module
    around: ast.Call | None
    size: ast.expr


def _layer_size(found: AtCall, given: int, taken: int) -> LayerSize | None:
    """Find where the layer is made, and what the size of its input follows from."""
    frame, module = found.frame, found.module
    made = find_maker(found, taken)
    size = input_size(module, made) if made is not None else None
    if made is None or size is None:
        return None
    source = previous_layer(module, found.node.args[0]) if found.node.args else None
    derived = source == "joined" and _CHANNELS.search(found.context.message) is None
    stated = _Stated(module, made, size)
    meant = str(given)
    if isinstance(source, ast.Call):
        before = output_size(module, source)
        is_near = module.function(source) is module.function(made)
        meant = module.text(before) if before is not None and is_near else meant
    shown = stated.around or stated.size
    new = _rewritten(stated, meant)
    facts = {
        "name": module.text(found.node.func),
        "detail": str(given),
        "argument": str(taken),
        "container": stated.home.text(shown),
        "condition": new,
    }
    return LayerSize(
        stated.home.location(shown),
        facts,
        "flattened_size" if derived else "layer_size",
        context=found.context,
        outer_frame=frame,
        node=found.node,
        home=stated.home,
        size=stated.size,
        meant=meant,
        derived=derived,
    )


def _rewritten(stated: _Stated, meant: str) -> str:
    """Write the call that states a size with another one in its place."""
    if stated.around is None:
        return meant
    text, span = stated.home.text(stated.around), stated.home.span(stated.around)
    size = stated.home.span(stated.size)
    if size.line != span.line:
        return meant
    begin, end = size.column - span.column, size.end_column - span.column
    return " ".join((text[:begin] + meant + text[end:]).split())


# ---------------------------------------------------------------- fixes


@singledispatch
def fit_layer(_: MisfitLayer) -> Drafts:
    """Make a layer for the input that it gets, or give it the input that it is made for."""
    return ()


@fit_layer.register
def _state_size(found: LayerSize) -> Drafts:
    is_written = whole_number(found.size) is not None
    if is_written or not found.meant.isdigit():
        draft = Draft(found.home).replace(found.size, found.meant)
        yield draft.certain() if found.derived and is_written else draft


@fit_layer.register
def _flatten(found: Unflattened) -> Drafts:
    yield Draft(found.module).certain().replace(found.given, found.flat)


@fit_layer.register
def _move_channels(found: MovedChannels) -> Drafts:
    draft = Draft(found.caller.module).certain()
    yield draft.wrap(found.given, f"{draft.name('jax.numpy.moveaxis')}(", f", {found.axes})")


@fit_layer.register
def _add_channels(found: NoChannels) -> Drafts:
    text = found.facts["condition"]
    yield Draft(found.caller.module).certain().replace(found.given, text)
