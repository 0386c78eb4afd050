"""Matches and fixes arrays whose rows do not fit the devices of a pmap or a shard_map."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.causes.devices.device_calls import not_divisible
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_option, atom
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.phrases import counted, listed
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform, every, find_in_frames
from jaxtutor.core.diagnosis.reading.calls import keyword_value
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.library_calls import known_fact

_BLOCK = re.compile(r"cannot select an axis to squeeze out .* got shape=\((\d+)")
_PARTED = re.compile(r"partitioned (\d+) times, but the dimension size is (\d+)")
_FIRST = re.compile(r"\w+\[(\d+)[\d,]*\]$")
_ARGUMENT = re.compile(r"args\[(\d+)\](\S*) of shape")


class Rows(AtFrame, frozen=True, kw_only=True):
    """A call of a mapped function with arrays that have more rows than there are devices."""

    arrays: tuple[ast.expr, ...]
    fits: bool  # the rows can be shared out evenly


class SharedArgument(AtFrame, frozen=True, kw_only=True):
    """A tree that a pmap maps over its first axes, among `count` arguments."""

    item: AppliedTransform


def rows_for_devices(context: FailureContext) -> AtFrame | None:
    """Arrays whose first axes do not fit the devices are passed to a function under pmap."""
    return _rows_match(context) or _shared(context)


def _shared(context: FailureContext) -> SharedArgument | None:
    """A dict of parameters is mapped, and the first axes of its arrays are not one per device."""
    frame, call = context.frame, context.call
    item = find_in_frames(context, "pmap")
    if frame is None or call is None or item is None or item.option("in_axes") is not None:
        return None
    dicts = [n for n, a in enumerate(call.args) if frame.kind(a) == "dict"]
    if "sharding" not in context.message or len(dicts) != 1 or len(call.args) < 2:
        return None
    axes = ", ".join("None" if n == dicts[0] else "0" for n in range(len(call.args)))
    facts = {
        "name": frame.module.text(call.args[dicts[0]]),
        "argument": f"in_axes=({axes})",
        "function": frame.module.text(call.func),
    }
    return SharedArgument(
        item.module.location(item.node), facts, "shared", context=context, item=item
    )


def _rows_match(context: FailureContext) -> Rows | None:
    frame, call = context.frame, context.call
    if frame is None or call is None or find_in_frames(context, "pmap") is None:
        return None
    sizes = {id(a): _first(known_fact(context, frame, a)) for a in call.args}
    most = max(sizes.values(), default=0)
    arrays = tuple(a for a in call.args if sizes[id(a)] == most)
    count = _devices(context.message, most)
    if not arrays or count is None or most <= count:
        return None
    name = frame.module.text(arrays[0])
    facts = {
        "name": listed(frame.module.text(a) for a in arrays),
        "condition": f"{'have' if len(arrays) > 1 else 'has'} {most} rows",
        "detail": str(most),
        "container": f"{'is' if count == 1 else 'are'} only {counted(count, 'device')}",
        "argument": f"{name}.reshape({count}, {most // count}, *{name}.shape[1:])",
        "function": frame.module.text(call.func),
    }
    fits = most % count == 0
    form = "even" if fits else "uneven"
    return Rows(None, facts, form, context=context, arrays=arrays, fits=fits)


def _devices(message: str, rows: int) -> int | None:
    """Return the number of devices that a message is about, of which each got some of the rows."""
    parted, block = _PARTED.search(message), _BLOCK.search(message)
    if parted is not None:
        return int(parted[1]) if int(parted[2]) == rows else None
    return rows // int(block[1]) if block is not None and int(block[1]) > 1 else None


def _first(fact: object) -> int:
    """Return the length of the first axis of an array; 0 for anything else."""
    said = _FIRST.search(getattr(fact, "detail", ""))
    return int(said[1]) if said is not None else 0


def blocks_of_rows(found: AtFrame) -> Drafts:
    """Give each device a block of rows; the function then gets blocks in the place of rows."""
    if isinstance(found, SharedArgument):
        yield add_option(found.item, found.facts["argument"])
    if not isinstance(found, Rows) or not found.fits:
        return
    draft = Draft(found.module)
    devices = draft.name("jax.local_device_count")
    for array in found.arrays:
        text = atom(found.module, array)
        draft.replace(array, f"{text}.reshape({devices}(), -1, *{text}.shape[1:])")
    yield draft


class SharedSpec(AtFrame, frozen=True, kw_only=True):
    """A shard_map with one spec for all arguments, of which some are trees of parameters."""

    item: AppliedTransform
    spec: ast.expr


def indivisible(context: FailureContext) -> AtFrame | None:
    """An axis is split over devices that do not divide its length."""
    return _spec_for_all(context) or not_divisible(context)


def _spec_for_all(context: FailureContext) -> SharedSpec | None:
    """One spec splits all arguments of a shard_map, and one of them is a tree of parameters."""
    frame = context.frame
    items = every(context, "shard_map")
    item = find_in_frames(context, "shard_map") or (items[0] if len(items) == 1 else None)
    if frame is None or item is None or item.call is None or item.function is None:
        return None
    spec = keyword_value(item.call, "in_specs")
    refused = [(int(n), rest) for n, rest in _ARGUMENT.findall(context.message)]
    shared = frozenset(n for n, rest in refused if rest)
    names = parameter_names(item.function)
    is_one = isinstance(spec, ast.Call)
    if spec is None or not is_one or not shared or len(shared) == len(names):
        return None
    if len(shared) != len({n for n, _ in refused}) or max(shared) >= len(names):
        return None
    text = item.module.text(spec)
    empty = f"{item.module.text(spec.func)}()" if isinstance(spec, ast.Call) else text
    specs = [empty if n in shared else text for n in range(len(names))]
    facts = {
        "name": listed(names[n] for n in sorted(shared)),
        "condition": text,
        "argument": f"in_specs=({', '.join(specs)})",
    }
    return SharedSpec(
        item.module.location(item.node), facts, "specs", context=context, item=item, spec=spec
    )


def spec_for_each(found: AtFrame) -> Drafts:
    """Give each argument a spec of its own, and every device the whole of the parameters."""
    if not isinstance(found, SharedSpec):
        return
    text = found.facts["argument"].removeprefix("in_specs=")
    yield Draft(found.item.module).replace(found.spec, text)


RULES = (
    Rule(
        "rows-for-devices",
        raised(rows_for_devices),
        blocks_of_rows,
        before=("sharding-not-divisible",),
    ),
    Rule("sharding-not-divisible", raised(indivisible), spec_for_each),
)
