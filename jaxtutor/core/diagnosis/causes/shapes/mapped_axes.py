"""Matches the causes in vmap."""

from __future__ import annotations

import ast
import re

from msgspec.structs import replace

from jaxtutor.core.diagnosis.causes.libraries.equinox.model_states import is_equinox_state
from jaxtutor.core.diagnosis.causes.shapes import asserted
from jaxtutor.core.diagnosis.editing.expressions import tuple_text
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame, at_frame
from jaxtutor.core.diagnosis.engine.phrases import joined
from jaxtutor.core.diagnosis.engine.transforms import (
    AppliedTransform,
    find_in_frames,
    name_of,
    place_of,
)
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.library_calls import is_module_of

_OUT_OF_AXES = re.compile(r"axis (-?\d+) is out of bounds for array of dimension (\d+)")
_COUNTED = re.compile(r"len\(in_axes\)=(\d+), len\(args\)=(\d+)")
_RANKS = re.compile(
    r"along axis (-?\d+), .*rank should be .*is only (\d+) \(its shape is (\(.*?\))\)"
)
_TOO_MANY = re.compile(r"Too many indices.*?(\d+)-dimensional.*?(\d+) (?:were|was) indexed")
_SIZE = re.compile(r"had size (\d+)")
_RAW_KEY = re.compile(r"axis 0 of argument (\S+) of type uint32\[2\]")
_UNPACK = re.compile(r"not enough values to unpack \(expected (\d+), got (\d+)\)")


class AtVmap(AtFrame, frozen=True, kw_only=True):
    """A cause in the arguments of a mapped function: `vmap` is where it is mapped."""

    vmap: AppliedTransform | None


def _vmap_match(context: FailureContext) -> AtVmap | None:
    """Return a match at the vmap whose in_axes is to change."""
    if context.frame is None:
        return None
    item = find_in_frames(context, "vmap", "pmap")
    name = name_of(item.function) if item is not None else ""
    place, facts = place_of(item) if item else None, {"function": name} if name else {}
    return AtVmap(place, facts, context=context, vmap=item)


def keyword_argument(context: FailureContext) -> AtVmap | None:
    """in_axes counts positional arguments, and one was passed by keyword."""
    found = _vmap_match(context)
    said = ("called with keyword arguments", "of kwargs", "kwargs[")
    is_said = any(words in context.message for words in said)
    if found is None or not (is_said or _counts_keywords(context)):
        return None
    passed = context.call.keywords if context.call is not None else []
    names = [keyword.arg for keyword in passed if keyword.arg is not None]
    return replace(found, place=None, facts={"argument": names[0]} if len(names) == 1 else {})


def _counts_keywords(context: FailureContext) -> bool:
    """Return whether in_axes has an entry for an argument that the call passes by keyword."""
    counted = _COUNTED.search(context.message)
    if counted is None or context.call is None:
        return False
    return int(counted[1]) == int(counted[2]) + len(context.call.keywords) > int(counted[2])


def in_axes(context: FailureContext) -> AtVmap | None:
    """in_axes has another structure than the arguments."""
    found = _vmap_match(context)
    counted = _COUNTED.search(context.message)
    ranks = _RANKS.search(context.message)
    if found is not None and ranks is not None:
        axes = "one axis" if ranks[2] == "1" else f"{ranks[2]} axes"
        facts = {"detail": ranks[1], "argument": axes, "container": f"`{ranks[3]}`"}
        return replace(found, facts={**found.facts, **facts}, form="rank")
    if found is not None and (order := axes_by_position(found)):
        facts = {**found.facts, "argument": tuple_text(order)}
        return replace(found, facts=facts, form="names")
    if found is None or counted is None:
        return found
    entries = "one entry" if counted[1] == "1" else f"{counted[1]} entries"
    given = "one argument" if counted[2] == "1" else f"{counted[2]} arguments"
    detail = f"{entries}, and the function was called with {given}"
    return replace(found, facts={**found.facts, "detail": detail}, form="count")


def axes_by_position(found: AtVmap) -> list[str]:
    """Return the entries of an `in_axes` that is a dict of all parameters, in their order."""
    item = found.vmap
    given = item.option("in_axes") if item is not None else None
    if item is None or not isinstance(given, ast.Dict):
        return []
    keys = [getattr(key, "value", None) for key in given.keys]
    entries = dict(zip(keys, given.values, strict=True))
    names = parameter_names(item.function)
    if not names or set(keys) != set(names):
        return []
    return [item.module.text(entries[name]) for name in names]


def mapped(context: FailureContext) -> AtVmap | None:
    """The mapped axes have different sizes, or a number is mapped along an axis."""
    found = _vmap_match(context)
    given = [n.detail for frame in context.frames for n in frame.names.values()]
    has_streams = context.library == "flax" and any(detail.endswith(".Rngs") for detail in given)
    if found is not None and any(is_equinox_state(found.frame, a) for a in _call_arguments(found)):
        return replace(found, form="state")
    axes = axes_of_model(found) if found is not None else []
    if found is not None and axes:
        form = "members" if axes.count("0") else "model"
        return replace(found, form=form, facts={"argument": tuple_text(axes)})
    if found is None:
        return None
    key = _RAW_KEY.search(context.message)
    seen = _SIZES.findall(context.message)
    others = set(_SIZE.findall(context.message)) - {"2"}
    if key is not None and len(others) == 1:
        facts = {"argument": _text_of(found, key[1]), "detail": others.pop()}
        return replace(found, form="key", facts=facts)
    if has_streams:
        return replace(found, form="streams")
    sizes = [f"`{argument}` has {size} along axis {axis}" for size, axis, argument in seen]
    if len(sizes) < 2:
        return found
    return replace(found, form="sizes", facts={**found.facts, "detail": joined(sizes)})


_SIZES = re.compile(r"had size (\d+)(?::|, e\.g\.) axis (\d+) of argument (\S+) of type")


def _text_of(found: AtVmap, name: str) -> str:
    """Return what the program passes as the argument that JAX calls `args[0]`."""
    position, given = _POSITION.fullmatch(name), _call_arguments(found)
    at = int(position[1]) if position is not None else len(given)
    return found.module.text(given[at]) if at < len(given) else name


_POSITION = re.compile(r"args\[(\d+)\]")


def _call_arguments(found: AtVmap) -> list[ast.expr]:
    return found.call.args if found.call is not None else []


def shared_states(found: AtVmap) -> list[str]:
    """Write `in_axes` for a call that passes the state of a model of Equinox."""
    return ["None" if is_equinox_state(found.frame, a) else "0" for a in _call_arguments(found)]


def axes_of_model(found: AtVmap) -> list[str]:
    """Write `in_axes` for a call of a library's vmap that passes a model beside arrays."""
    item, given = found.vmap, _call_arguments(found)
    called = item.node.func if item is not None and isinstance(item.node, ast.Call) else None
    path = item.module.dotted(called or item.node) if item is not None else ""
    library = {"equinox.filter_vmap": "equinox", "flax.nnx.vmap": "nnx"}.get(path or "", "")
    models = [bool(library) and is_module_of(library, found.frame, node) for node in given]
    if item is None or not any(models) or all(models):
        return []
    home = found.module.text(called or item.node).rpartition(".")[0]
    mapped_axis = f"{home}.if_array(0)" if library == "equinox" else "0"
    return [mapped_axis if is_model else "None" for is_model in models]


def one_example(context: FailureContext) -> AtFrame | None:
    """A function under vmap still counts the batch axis."""
    found = asserted.asserted_batch(context)
    if found is not None:
        return found
    is_mapped = context.failure.transformation == "vmap"
    return at_frame(context) if is_mapped and _is_one_axis_short(context) else None


def _is_one_axis_short(context: FailureContext) -> bool:
    """Return whether one more axis would have been enough."""
    message = context.message
    if found := _OUT_OF_AXES.search(message):
        return int(found[1]) in (int(found[2]), -int(found[2]) - 1)
    if found := _TOO_MANY.search(message):
        return int(found[2]) == int(found[1]) + 1
    if found := _UNPACK.search(message):
        return int(found[1]) == int(found[2]) + 1 and _unpacks_shape(context.frame)
    if message == "tuple index out of range":
        return _reads_shape(context.node) or context.passed_through("_mean", "mean", "_var", "_std")
    return False


def _reads_shape(node: ast.AST | None) -> bool:
    value = node.value if isinstance(node, ast.Subscript) else None
    return isinstance(value, ast.Attribute) and value.attr == "shape"


def _unpacks_shape(frame: FrameContext | None) -> bool:
    statement = frame.statement if frame is not None else None
    value = statement.value if isinstance(statement, ast.Assign) else None
    return isinstance(value, ast.Attribute) and value.attr == "shape"
