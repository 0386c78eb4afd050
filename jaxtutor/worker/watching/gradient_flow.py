"""Follows gradients through a program, into its loops, its branches and the functions it calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.internals import places, tracers
from jaxtutor.worker.watching.subprograms import (
    called_program,
    carried_count,
    shared_by_rounds,
)

PlaceOf = Callable[[Any], Frame | None]
Block = tuple[Frame | None, str]
"""The place of an operation that lets no gradient through, and its name."""

LIVE = "live"
Flow = str | Block | None
"""What reaches a value: a gradient; none, for an operation blocks it; None if nothing should."""

MOST_ROUNDS = 8  # until the values that a loop carries are known: each round adds at least one


def flow(jaxpr: Any, given: Sequence[Flow], place_of: PlaceOf) -> dict[Any, Flow]:
    """Return what reaches each variable of a program, for what reaches its inputs."""
    known: dict[Any, Flow] = dict(zip(jaxpr.invars, given, strict=True))
    for equation in jaxpr.eqns:
        reads = [None if hasattr(v, "val") else known.get(v) for v in equation.invars]
        if any(read is not None for read in reads):
            known.update(zip(equation.outvars, _through(equation, reads, place_of), strict=True))
    return known


def _through(equation: Any, reads: list[Flow], place_of: PlaceOf) -> list[Flow]:
    """Return what reaches the results of an equation."""
    name, params = equation.primitive.name, equation.params
    if name.startswith("custom_"):  # it has a rule of its own
        return _alike(equation, next((r for r in reads if r == LIVE), _first_block(reads)))
    inner = called_program(name, params)
    if inner is not None and len(inner.jaxpr.invars) == len(reads):
        found = _results(inner.jaxpr, reads, place_of)
        return (
            found if _is_learners(inner.jaxpr) else [_moved(f, equation, place_of) for f in found]
        )
    if name == "scan":
        body = _open(params["jaxpr"])
        shared, carried = shared_by_rounds(equation, body), carried_count(equation, body)
        return _loop(body, reads, shared, carried, place_of)
    if name == "while":
        reads = reads[params["cond_nconsts"] :]
        body, shared = _open(params["body_jaxpr"]), params["body_nconsts"]
        return _loop(body, reads, shared, len(body.outvars), place_of)
    if name == "cond":
        branches = [_results(_open(b), reads[1:], place_of) for b in params["branches"]]
        found = [_joined(each) for each in zip(*branches, strict=True)]
        chosen = _first_block(reads[:1]) or (place_of(equation), name) if reads[0] else None
        return [chosen if f is None else f for f in found]
    if not any(r == LIVE for r in reads):
        return _alike(equation, _first_block(reads))
    return _alike(equation, (place_of(equation), name) if lets_nothing_through(equation) else LIVE)


def _loop(body: Any, reads: list[Flow], shared: int, carried: int, place_of: PlaceOf) -> list[Flow]:
    """Return what reaches the results of a loop, whose rounds pass on what they carry."""
    found: list[Flow] = []
    for _ in range(MOST_ROUNDS):
        found = _results(body, reads, place_of)
        start = reads[shared : shared + carried]
        after = [_joined(pair) for pair in zip(start, found[:carried], strict=True)]
        if after == start:
            break
        reads = [*reads[:shared], *after, *reads[shared + carried :]]
    return [*reads[shared : shared + carried], *found[carried:]]


def _results(jaxpr: Any, given: Sequence[Flow], place_of: PlaceOf) -> list[Flow]:
    known = flow(jaxpr, given, place_of)
    return [None if hasattr(v, "val") else known.get(v) for v in jaxpr.outvars]


def _open(program: Any) -> Any:
    return getattr(program, "jaxpr", program)


def _joined(flows: Sequence[Flow]) -> Flow:
    """Return what reaches a value that comes by several ways."""
    return LIVE if LIVE in flows else _first_block(flows)


def _first_block(flows: Sequence[Flow]) -> Flow:
    """Return the first block; one that rounds comes before one that was written to stop."""
    blocks = [f for f in flows if f is not None and not isinstance(f, str)]
    return next((b for b in blocks if b[1] in _ROUNDING), blocks[0] if blocks else None)


_ROUNDING = ("round", "floor", "ceil", "sign")


def _alike(equation: Any, found: Flow) -> list[Flow]:
    return [found for _ in equation.outvars]


def _moved(found: Flow, equation: Any, place_of: PlaceOf) -> Flow:
    """Return a block in a function of a library with the place where that is called."""
    return found if found is None or isinstance(found, str) else (place_of(equation), found[1])


def _is_learners(jaxpr: Any) -> bool:
    """Return whether a program was traced from a function that no library defines."""
    where = tracers.program_place(jaxpr)
    return where is not None and not places.is_neutral(where[1])


BLOCKING = frozenset(
    "eq ne lt le gt ge argmax argmin round floor ceil sign is_finite not and or xor"
    " shift_left shift_right_logical stop_gradient".split()
)


def lets_nothing_through(equation: Any) -> bool:
    """Return True if the gradient of a single operation is zero everywhere."""
    kinds = [getattr(v.aval, "dtype", np.dtype("f4")).kind for v in equation.outvars]
    is_whole = bool(kinds) and all(kind in "iub" for kind in kinds)
    return equation.primitive.name in BLOCKING or is_whole
