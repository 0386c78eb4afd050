"""Finds a function whose result does not depend on what it is differentiated with respect to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.watching.gradient_flow import LIVE, Flow, PlaceOf, flow
from jaxtutor.worker.watching.liveness import Liveness, is_literal
from jaxtutor.worker.watching.subprograms import called_program


class IndependentPlaces(Struct, frozen=True):
    """The operation that makes such a result, and the last one that is computed for nothing.

    The second is computed from the inputs of the gradient, and no result depends on it.
    """

    result: Frame
    dropped: Frame | None


def find_independent(
    jaxpr: Any, place_of: PlaceOf, given: Sequence[Flow] = (), position: int = 0
) -> IndependentPlaces | None:
    """Return where a program makes a result that does not depend on any of its inputs.

    It has to depend on other arrays. One that is constant, such as a flat prior or a penalty of
    zero, has no gradient on purpose. `given` says what reaches the inputs, by default a gradient.
    """
    known = flow(jaxpr, given or [LIVE] * len(jaxpr.invars), place_of)
    result = jaxpr.outvars[position]
    if is_literal(result) or known.get(result) is not None:
        return None
    made = next((eqn for eqn in jaxpr.eqns if result in eqn.outvars), None)
    if made is None or not _depends_on_arrays(jaxpr, result):
        return None
    reads = [None if is_literal(v) else known.get(v) for v in made.invars]
    inner = called_program(made.primitive.name, made.params)
    if inner is not None and any(reads) and len(inner.jaxpr.invars) == len(reads):
        return find_independent(inner.jaxpr, place_of, reads, made.outvars.index(result))
    where = place_of(made)
    return IndependentPlaces(where, _dropped(jaxpr, known, place_of)) if where is not None else None


def _depends_on_arrays(jaxpr: Any, result: Any) -> bool:
    """Return whether a result depends on an input or on an array from outside of a program."""
    needed = {result}
    for equation in reversed(jaxpr.eqns):
        if not needed.isdisjoint(equation.outvars):
            needed.update(v for v in equation.invars if not is_literal(v))
    return not needed.isdisjoint([*jaxpr.invars, *jaxpr.constvars])


def _dropped(jaxpr: Any, known: dict[Any, Flow], place_of: PlaceOf) -> Frame | None:
    """Return the last arithmetic on the inputs of a gradient on which no result depends."""
    liveness = Liveness(jaxpr)
    places = [
        place_of(equation)
        for equation in jaxpr.eqns
        if liveness.is_unread(equation)
        and not _only_moves(equation)
        and any(not is_literal(v) and known.get(v) is not None for v in equation.invars)
    ]
    return next((where for where in reversed(places) if where is not None), None)


def _only_moves(equation: Any) -> bool:
    """Return whether an equation, or each of the program that it calls, only moves numbers."""
    inner = called_program(equation.primitive.name, equation.params)
    if inner is not None:
        return all(map(_only_moves, inner.jaxpr.eqns))
    return equation.primitive.name in _MOVING


_MOVING = frozenset(
    "slice dynamic_slice gather split unstack squeeze reshape transpose broadcast_in_dim"
    " concatenate rev copy convert_element_type".split()
)
"""Operations that only move numbers, as unpacking an argument does."""
