"""Finds compiled loops that add up more numbers than a total of half precision can hold.

A total of `p` binary digits that is 2**p times as large as what is added stays the same. If the
numbers are not negative, it is that large after about 2**p of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jaxtutor.worker.watching.subprograms import called_program, carried_count, shared_by_rounds

ENOUGH = 4
"""How many times 2**p numbers a loop has to add; then the numbers need not be of one size."""

_DIGITS = {"bfloat16": 8, "float16": 11}
"""The dtypes of half precision, and their binary digits."""
_KEEPING = frozenset(
    "convert_element_type reduce_sum reduce_max reduce_min copy reshape squeeze broadcast_in_dim"
    " sqrt cumsum reduce_precision".split()
)
_POSITIVE = frozenset("abs square exp exp2 logistic".split())
_JOINING = frozenset("add mul div max min".split())


def half_sums(jaxpr: Any) -> Iterator[Any]:
    """Yield the additions to a number of half precision in loops that have too many iterations."""
    for equation in jaxpr.eqns:
        name, params = equation.primitive.name, equation.params
        body = getattr(params.get("jaxpr"), "jaxpr", None)
        if name == "scan" and body is not None:
            yield from _totals(equation, body)
        if name in ("scan", "jit", "pjit") and body is not None:
            yield from half_sums(body)


def _totals(loop: Any, body: Any) -> Iterator[Any]:
    first, count = shared_by_rounds(loop, body), carried_count(loop, body)
    made_by = {v: e for e in body.eqns for v in e.outvars}
    for n in range(count):
        before, after = body.invars[first + n], body.outvars[n]
        equation = None if hasattr(after, "val") else made_by.get(after)
        kind, shape = str(getattr(before.aval, "dtype", "")), getattr(before.aval, "shape", None)
        if equation is None or equation.primitive.name != "add" or shape != ():
            continue
        added = [v for v in equation.invars if v is not before]
        if kind not in _DIGITS or len(added) != 1:
            continue
        is_long = loop.params["length"] >= ENOUGH * 2 ** _DIGITS[kind]
        if is_long and _is_positive(body, added[0]):
            yield equation


def _is_positive(jaxpr: Any, wanted: Any, inputs: frozenset[Any] = frozenset()) -> bool:
    """Return whether a value of a program is never negative, whatever its other inputs are."""
    known = set(inputs)

    def is_known(atom: Any) -> bool:
        if not hasattr(atom, "val"):
            return atom in known
        return getattr(atom.val, "ndim", 0) == 0 and bool(atom.val >= 0)

    for equation in jaxpr.eqns:
        name, ins = equation.primitive.name, equation.invars
        inner = called_program(name, equation.params)
        if inner is not None and len(inner.jaxpr.invars) == len(ins):
            pairs = zip(ins, inner.jaxpr.invars, strict=True)
            given = frozenset(v for atom, v in pairs if is_known(atom))
            results = zip(equation.outvars, inner.jaxpr.outvars, strict=True)
            known |= {v for v, out in results if _is_positive(inner.jaxpr, out, given)}
            continue
        is_square = name == "integer_pow" and equation.params["y"] % 2 == 0
        is_square |= name == "mul" and ins[0] is ins[1]
        is_kept = name in _KEEPING and is_known(ins[0])
        is_count = str(getattr(ins[0].aval, "dtype", "")) == "bool" if ins else False
        is_count &= name == "convert_element_type"
        is_joined = name in _JOINING and all(map(is_known, ins))
        if name in _POSITIVE or is_square or is_kept or is_count or is_joined:
            known.update(equation.outvars)
    return is_known(wanted)
