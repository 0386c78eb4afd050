"""Builds facts for tests without jax: values, jaxprs and outcomes."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import Any

from jaxtutor.core.data.facts import Done, End, Event, Machine, Outcome, StageFacts
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.jaxprs import Equation, Jaxpr, Lit, Var
from jaxtutor.core.data.positions import Frame, Span
from jaxtutor.core.data.values import ArrayValue, AtomValue, Leaf, Tree

FORMATS = {
    "bool": "?",
    "int32": "i",
    "int64": "q",
    "float64": "d",
    "complex64": "f",
    "float": "d",  # a Python number
}
NARROW = ("float16", "bfloat16", "float8_e4m3fn", "float32")

WRONG_PRIMAL = """import jax


@jax.custom_jvp
def double(x):
    return 2 * x


@double.defjvp
def double_jvp(primals, tangents):
    return primals[0], 2 * tangents[0]
"""
"""A submission whose rule returns another answer than the function, with the right gradient."""


def flatten(value: Any) -> Iterator[Any]:
    """Yield the numbers of nested lists in C order."""
    if isinstance(value, list):
        for item in value:
            yield from flatten(item)
    else:
        yield value


def shape_of(value: Any) -> tuple[int, ...]:
    """Return the shape of nested lists, all of one length."""
    return (len(value), *shape_of(value[0])) if isinstance(value, list) and value else ()


def array(value: Any, dtype: str = "float32", weak: bool = False) -> ArrayValue:
    """Return an array of nested lists of numbers."""
    flat: list[Any] = list(flatten(value))
    pairs = dtype.startswith("complex")
    if pairs:
        flat = [part for number in flat for part in (number.real, number.imag)]
    code = "f" if dtype in NARROW else FORMATS[dtype]
    data = struct.pack(f"={len(flat)}{code}", *flat)
    return ArrayValue(shape_of(value), dtype, weak, code, pairs, data)


def tree(value: Any, dtype: str = "float32", weak: bool = False) -> Tree:
    """Return a pytree that is one array."""
    return Tree("*", (Leaf("", array(value, dtype, weak)),))


def pair(first: Any, second: Any) -> Tree:
    """Return a pytree that is a tuple of two arrays."""
    return Tree("(*, *)", (Leaf("[0]", array(first)), Leaf("[1]", array(second))))


def atom(kind: str, text: str) -> Tree:
    """Return a pytree that is not an array."""
    return Tree("*", (Leaf("", AtomValue(kind, text)),))


# ---------------------------------------------------------------- jaxprs


def var(number: int, dtype: str = "float32", shape: tuple[int, ...] = (3,)) -> Var:
    """Return a variable."""
    return Var(number, dtype, shape)


def equation(primitive: str, out: int, *ins: int | str, **details: Any) -> Equation:
    """Return an equation between numbered variables. A text among the inputs is a literal."""
    operands = tuple(Lit(item) if isinstance(item, str) else var(item) for item in ins)
    return Equation(primitive, (var(out),), operands, **details)


def jaxpr(ins: int, out: int, *equations: Equation) -> Jaxpr:
    """Return a jaxpr with inputs 0 to `ins` - 1 and one result."""
    return Jaxpr(tuple(map(var, range(ins))), (var(out),), equations)


# ---------------------------------------------------------------- outcomes

MACHINE = Machine("0.12.0", "0.12.0", "3.13.0")
STAGES = ("import", "function", "jaxpr", "jit", "values", "leaks")


def failure(error_class: str = "ValueError", message: str = "no") -> Failure:
    """Return a failure in line 3 of the learner's file."""
    frame = Frame("lesson.py", "f", Span(3, 4, 3, 9))
    return Failure(error_class, (error_class, "Exception"), message, frames=(frame,))


def passed_stages(*names: str) -> list[Event]:
    """Return the facts of stages that passed."""
    return [StageFacts(name, 0.01) for name in names or STAGES]


def outcome(events: Sequence[Event], end: End = "finished", **details: Any) -> Outcome:
    """Return an outcome. One that finished ends with Done."""
    done = [Done(0.25)] if end == "finished" else []
    return Outcome(end, 0.5, MACHINE, events=(*events, *done), device="cpu:0", **details)
