"""Matches and fixes arrays whose rows do not fit the devices of a pmap."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.causes.devices.device_calls import not_divisible
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.phrases import counted, listed
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.transforms import find_in_frames
from jaxtutor.core.diagnosis.reading.library_calls import known_fact

_BLOCK = re.compile(r"cannot select an axis to squeeze out .* got shape=\((\d+)")
_PARTED = re.compile(r"partitioned (\d+) times, but the dimension size is (\d+)")
_FIRST = re.compile(r"\w+\[(\d+)[\d,]*\]$")


class Rows(AtFrame, frozen=True, kw_only=True):
    """A call of a mapped function with arrays that have more rows than there are devices."""

    arrays: tuple[ast.expr, ...]
    fits: bool  # the rows can be shared out evenly


def rows_for_devices(context: FailureContext) -> Rows | None:
    """Arrays whose first axes do not fit the devices are passed to a function under pmap."""
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


def blocks_of_rows(found: Rows) -> Drafts:
    """Give each device a block of rows; the function then gets blocks in the place of rows."""
    if not found.fits:
        return
    draft = Draft(found.module)
    devices = draft.name("jax.local_device_count")
    for array in found.arrays:
        text = atom(found.module, array)
        draft.replace(array, f"{text}.reshape({devices}(), -1, *{text}.shape[1:])")
    yield draft


RULES = (
    Rule(
        "rows-for-devices",
        raised(rows_for_devices),
        blocks_of_rows,
        before=("sharding-not-divisible",),
    ),
    Rule("sharding-not-divisible", raised(not_divisible)),
)
