"""Matches and mends calls of `jax.pmap` with more rows than there are devices."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.context import FailureContext
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.rewriting.expressions import atom
from jaxtutor.core.diagnosis.rules import AtCall, Drafts, at_call
from jaxtutor.core.diagnosis.source import path_of
from jaxtutor.core.diagnosis.transforms import AppliedTransform, find

_PER_DEVICE = re.compile(r"cannot select an axis to squeeze .* got shape=\((\d+),")
_DEVICES = re.compile(r"partitioned (\d+) times, but the dimension size is (\d+)")
_COLLECTIVES = frozenset("pmean psum pmax pmin all_gather psum_scatter ppermute all_to_all".split())


class RowsToDevices(AtCall, frozen=True, kw_only=True):
    """A call of a mapped function; each of `rows` has too long a first axis."""

    rows: tuple[ast.expr, ...]
    mapped: AppliedTransform
    fits: bool  # the rows can be shared out evenly


def rows_to_devices(context: FailureContext) -> RowsToDevices | None:
    """`jax.pmap` maps an axis that is longer than the number of devices."""
    call, mapped = at_call(context), find(context, "pmap")
    counts = _counts(call, context.message) if call is not None else None
    if call is None or mapped is None or counts is None:
        return None
    number, devices = counts
    rows = [a for a in call.node.args if _length(call, a) == number]
    if not rows:
        return None
    name = call.module.text(rows[0])
    facts = {
        "name": name,
        "argument": str(number),
        "detail": str(devices),
        "condition": _shared_out(call, rows[0], "jax.local_device_count()"),
    }
    return RowsToDevices(
        None,
        facts,
        context=context,
        frame=call.frame,
        node=call.node,
        path=call.path,
        rows=tuple(rows),
        mapped=mapped,
        fits=number % devices == 0,
    )


def _counts(call: AtCall, message: str) -> tuple[int, int] | None:
    """Return the number of rows and that of devices."""
    shared, parted = _PER_DEVICE.search(message), _DEVICES.search(message)
    if parted is not None:
        devices, number = int(parted[1]), int(parted[2])
        return (number, devices) if number > devices > 0 else None
    longest = max((_length(call, a) for a in call.node.args), default=0)
    part = int(shared[1]) if shared is not None else 0
    return (longest, longest // part) if part > 1 and longest % part == 0 else None


def _length(call: AtCall, node: ast.expr) -> int:
    """Return the length of the first axis of an array; 0 where it is not known."""
    passed = {f.name: f for f in call.context.failure.passed}
    fact = call.frame.fact(node) or passed.get(call.module.text(node))
    said = re.search(r"\[(\d+)", fact.detail) if fact is not None else None
    return int(said[1]) if said is not None else 0


def _shared_out(call: AtCall, node: ast.expr, count: str) -> str:
    text = atom(call.module, node)
    return f"{text}.reshape({count}, -1, *{text}.shape[1:])"


def share_out(found: RowsToDevices) -> Drafts:
    """Give the rows an axis for the devices, where each device gets a batch of its own."""
    if not found.fits:
        return
    draft = Draft(found.module)
    count = f"{draft.name('jax.local_device_count')}()"
    for node in found.rows:
        draft.replace(node, _shared_out(found, node, count))
    yield draft.certain() if _communicates(found.mapped) else draft


def _communicates(mapped: AppliedTransform) -> bool:
    """Return whether a mapped function combines the results of the devices, as steps do."""
    nodes = ast.walk(mapped.function) if mapped.function is not None else ()
    names = {(path_of(n.func) or "").rpartition(".")[2] for n in nodes if isinstance(n, ast.Call)}
    return bool(names & _COLLECTIVES)
