"""Finds the programs within a program, and the sizes of its values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import jax
import numpy as np


def called_program(name: str, params: Any) -> Any | None:
    """Return the program that an equation calls exactly once, if there is one."""
    if name in ("jit", "pjit", "closed_call", "core_closed_call"):
        return params.get("jaxpr") or params.get("call_jaxpr")
    if name in ("custom_jvp_call", "custom_vjp_call", "custom_vjp_call_jaxpr"):
        return params.get("call_jaxpr") or params.get("fun_jaxpr")
    if name in ("remat2", "checkpoint", "remat"):
        return ClosedProgram(params["jaxpr"])
    return None


class ClosedProgram:
    """An open jaxpr with the attributes of a closed one."""

    def __init__(self, jaxpr: Any) -> None:
        self.jaxpr = getattr(jaxpr, "jaxpr", jaxpr)
        self.consts = getattr(jaxpr, "consts", ())


Name = tuple[int, Any]
"""A call of a function, and a variable of the function's program."""


@dataclass(frozen=True)
class InlinedOperation:
    """An operation of a program, also of the functions that it calls.

    `outer` is the equation of the program itself that it belongs to.
    """

    equation: Any
    outer: Any
    reads: tuple[Name, ...]
    writes: tuple[Name, ...]


class Inlined:
    """The operations of a program and of the functions that it calls once, in order."""

    def __init__(self, jaxpr: Any) -> None:
        self._calls = count()
        self.names = names = {v: (0, v) for v in jaxpr.invars}  # of the program's own variables
        self.inputs = list(names.values())
        self.operations = list(self._follow(jaxpr, names, None))
        self.results = [_name(names, v) for v in jaxpr.outvars]

    def _follow(self, jaxpr: Any, names: dict[Any, Name], outer: Any) -> Iterator[InlinedOperation]:
        """Yield the operations of a program, and give each of its variables a name."""
        call = next(self._calls)
        for equation in jaxpr.eqns:
            reads = tuple(_name(names, v) for v in equation.invars)
            inner = called_program(equation.primitive.name, equation.params)
            if inner is not None and len(inner.jaxpr.invars) == len(reads):
                within = dict(zip(inner.jaxpr.invars, reads, strict=True))
                yield from self._follow(inner.jaxpr, within, outer or equation)
                made = (_name(within, v) for v in inner.jaxpr.outvars)
                names.update(zip(equation.outvars, made, strict=True))
            else:
                names.update({v: (call, v) for v in equation.outvars})
                writes = tuple(names[v] for v in equation.outvars)
                yield InlinedOperation(equation, outer or equation, reads, writes)


NO_NAME: Name = (-1, None)
"""The name of a constant, of which nothing is known."""


def _name(names: dict[Any, Name], value: Any) -> Name:
    """Return the name of a variable, or of a constant."""
    return NO_NAME if hasattr(value, "val") else names.get(value, (-1, value))


def as_program(primitive: Any, args: Sequence[Any], params: Any) -> Any | None:
    """Return the program that consists of one loop."""
    try:
        return jax.make_jaxpr(lambda *given: primitive.bind(*given, **params))(*args)
    except Exception:  # a loop that cannot be bound again runs without being inspected
        return None


def shared_by_rounds(loop: Any, body: Any) -> int:
    """Return how many inputs of a loop's body are the same in each iteration; they come first."""
    if "body_nconsts" in loop.params:
        return int(loop.params["body_nconsts"])
    pairs = zip(loop.invars, body.invars, strict=True)
    mapped = sum(len(a.aval.shape) > len(v.aval.shape) for a, v in pairs)
    return len(loop.invars) - mapped - carried_count(loop, body)


def carried_count(scan: Any, body: Any) -> int:
    """Return how many values a scan carries; they come first in what its body returns."""
    results = zip(scan.outvars, body.outvars, strict=True)
    return sum(len(v.aval.shape) == len(a.aval.shape) for v, a in results)


def count_elements(aval: Any) -> int:
    """Return how many numbers a value of a type has."""
    return int(np.prod(getattr(aval, "shape", ()), dtype=np.int64))


def element_bytes(aval: Any) -> int:
    """Return the bytes of one number of a type."""
    return int(getattr(getattr(aval, "dtype", None), "itemsize", 4))
