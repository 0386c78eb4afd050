"""Walks jax's jaxprs and converts them into plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from typing import Any

import numpy as np

from jaxtutor.core.data.jaxprs import Equation, Jaxpr, Lit, Var
from jaxtutor.core.judging.arrays import number_text
from jaxtutor.worker.internals import jaxpr_types, places

CAP_EQUATIONS = 2000
CAP_PARAM = 120
USUAL_UNROLL = 4
"""Rounds that a loop may write into its body as a compromise, whatever its length is."""


def inner_jaxprs(params: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the names and jaxprs of an equation's parameters, each branch separately."""
    for name, value in params.items():
        several = isinstance(value, tuple | list)
        for index, item in enumerate(value if several else (value,)):
            if isinstance(item, jaxpr_types.ClosedJaxpr | jaxpr_types.Jaxpr):
                yield (f"{name}[{index}]" if several else name), item


def open_jaxpr(jaxpr: Any) -> Any:
    """Return the open jaxpr inside a closed one, or an open one unchanged."""
    return jaxpr.jaxpr if isinstance(jaxpr, jaxpr_types.ClosedJaxpr) else jaxpr


def walk(jaxpr: Any) -> Iterator[Any]:
    """Yield every equation, each followed by the equations of the jaxprs nested in it."""
    for equation in open_jaxpr(jaxpr).eqns:
        yield equation
        for _, inner in inner_jaxprs(equation.params):
            yield from walk(inner)


def count(jaxpr: Any) -> int:
    """Count the equations that are compiled: an unrolled loop has its body many times."""
    total = 0
    for equation in open_jaxpr(jaxpr).eqns:
        inner = sum(count(body) for _, body in inner_jaxprs(equation.params))
        total += 1 + inner * _copies(equation)
    return total


def _copies(equation: Any) -> int:
    """Return how often a loop has its body. `unroll=4` is a common compromise, and counts once."""
    unroll = equation.params.get("unroll", 1)
    return unroll if isinstance(unroll, int) and unroll > USUAL_UNROLL else 1


def primitives(jaxpr: Any) -> tuple[str, ...]:
    """Return the names of all primitives, sorted."""
    return tuple(sorted({equation.primitive.name for equation in walk(jaxpr)}))


def largest(jaxpr: Any) -> int:
    """Return the number of elements of the largest result of an equation."""
    sizes = [_size(var.aval) for equation in walk(jaxpr) for var in equation.outvars]
    return max(sizes, default=0)


def constants(jaxpr: Any) -> int:
    """Return the number of elements of the largest captured constant, literals included."""
    sizes = [_size(var.aval) for var in open_jaxpr(jaxpr).constvars]
    for equation in walk(jaxpr):
        sizes += [
            _size(var.aval) for var in equation.invars if isinstance(var, jaxpr_types.Literal)
        ]
        for _, inner in inner_jaxprs(equation.params):
            sizes += [_size(var.aval) for var in open_jaxpr(inner).constvars]
    return max(sizes, default=0)


def _size(aval: Any) -> int:
    return prod(getattr(aval, "shape", ()))


class _Numbers(dict[Any, int]):
    """Numbers variables in the order in which they are first looked up."""

    def __missing__(self, var: Any) -> int:
        self[var] = len(self)
        return self[var]


LineOf = Callable[[Any], int | None]


def convert(jaxpr: Any, file: str, line_of: LineOf | None = None) -> Jaxpr:
    """Convert a jaxpr.

    Each equation's line is the one in `file` that it came from, or `line_of(source_info)`.
    """

    def own_line(info: Any) -> int | None:
        return places.source_line(info, file)

    return _convert(open_jaxpr(jaxpr), line_of or own_line, _Numbers())


def _convert(jaxpr: Any, line_of: LineOf, numbers: _Numbers) -> Jaxpr:
    def operand(value: Any) -> Var | Lit:
        if isinstance(value, jaxpr_types.Literal):
            return Lit(_literal_text(value))
        return variable(value)

    def variable(value: Any) -> Var:
        aval = value.aval
        weak = bool(getattr(aval, "weak_type", False))
        shape = tuple(n if isinstance(n, int) else -1 for n in getattr(aval, "shape", ()))
        return Var(numbers[value], str(getattr(aval, "dtype", aval)), shape, weak)

    def equation(eqn: Any) -> Equation:
        inner = tuple(inner_jaxprs(eqn.params))
        names = {name.split("[")[0] for name, _ in inner}
        return Equation(
            primitive=eqn.primitive.name,
            ins=tuple(operand(value) for value in eqn.invars),
            outs=tuple(variable(value) for value in eqn.outvars),
            params=tuple(
                (name, _param_text(value))
                for name, value in eqn.params.items()
                if name not in names
            ),
            inner=tuple((name, _convert(open_jaxpr(sub), line_of, numbers)) for name, sub in inner),
            line=line_of(eqn.source_info),
        )

    return Jaxpr(
        ins=tuple(variable(value) for value in jaxpr.invars),
        consts=tuple(variable(value) for value in jaxpr.constvars),
        equations=tuple(equation(eqn) for eqn in jaxpr.eqns[:CAP_EQUATIONS]),
        outs=tuple(operand(value) for value in jaxpr.outvars),
    )


def _literal_text(literal: Any) -> str:
    """Return a scalar as text. jax wraps Python's numbers in its own classes."""
    if _size(literal.aval) != 1:
        return str(literal.aval)
    try:
        return number_text(np.asarray(literal.val).item())
    except (TypeError, ValueError):  # a key, or another value that is not a number
        return str(literal.val)


def _param_text(value: Any) -> str:
    if callable(value) and hasattr(value, "__name__"):
        return str(value.__name__)
    text = " ".join(str(value).split())
    return text if len(text) <= CAP_PARAM else text[: CAP_PARAM - 1] + "…"
