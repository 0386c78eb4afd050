"""Explains why jit traced a function again: what differs from its earlier traces."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

_AVAL = re.compile(r"(~?)(\w+)\[([^\]]*)\]")


class ArgumentDescription(Struct, frozen=True):
    """The description of an argument: an array's type, a static value, or a tree's structure."""

    name: str
    text: str
    kind: str


class TraceRecord(Struct, frozen=True):
    """One trace of a function by jit. `identity` distinguishes function objects."""

    function: str
    file: str
    line: int
    identity: int
    called_from: int | None
    arguments: tuple[ArgumentDescription, ...]


def explain(traces: Sequence[TraceRecord]) -> tuple[str, ...]:
    """Explain for each trace why no earlier one could be reused; empty for the first."""
    return tuple(_explain(trace, traces[:index]) for index, trace in enumerate(traces))


def _explain(trace: TraceRecord, before: Sequence[TraceRecord]) -> str:
    if not before:
        return ""
    same = [one for one in before if one.identity == trace.identity]
    if not same:
        return "a new function object: jit caches traces by object, not by name"
    nearest = min(reversed(same), key=lambda one: _distance(_differences(one, trace)))
    changes = [f"{name}{', '.join(parts)}" for name, parts in _differences(nearest, trace)]
    if not changes:
        return "the arguments are unchanged: a JAX setting or the enclosing trace changed"
    return "; ".join(changes[:4]) + ("; …" if len(changes) > 4 else "")


_Differences = list[tuple[str, list[str]]]


def _distance(found: _Differences) -> int:
    return sum(len(parts) for _, parts in found)


def _differences(before: TraceRecord, now: TraceRecord) -> _Differences:
    """List what differs, argument by argument."""
    old = {a.name: a for a in before.arguments}
    new = {a.name: a for a in now.arguments}
    changes: _Differences = [(name, [" is new"]) for name in new if name not in old]
    changes += [(name, [" is no longer passed"]) for name in old if name not in new]
    for name, argument in new.items():
        if name in old and old[name] != argument:
            changes.append((f"{name}: ", _difference(old[name], argument)))
    return changes


def _difference(before: ArgumentDescription, now: ArgumentDescription) -> list[str]:
    if before.kind != now.kind:
        return [f"{before.kind} {before.text} became {now.kind} {now.text}"]
    if now.kind == "static":
        return [f"the static value {before.text} became {now.text}"]
    if now.kind == "structure":
        return [f"the tree {before.text} became {now.text}"]
    a, b = _AVAL.fullmatch(before.text), _AVAL.fullmatch(now.text)
    if a is None or b is None:
        return [f"{before.text} became {now.text}"]
    parts = []
    if a[3] != b[3]:
        parts.append(f"the shape [{a[3]}] became [{b[3]}]")
    if a[2] != b[2]:
        parts.append(f"the dtype {a[2]} became {b[2]}")
    if a[1] != b[1]:
        parts.append("it is now weakly typed" if b[1] else "it is no longer weakly typed")
    return parts
