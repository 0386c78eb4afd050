"""Finds what a program computes and nothing reads: host calls and stacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from jaxtutor.worker.watching.subprograms import (
    called_program,
    carried_count,
    count_elements,
    element_bytes,
    shared_by_rounds,
)

LARGE_BYTES = 16_000_000  # of a stack that is worth mentioning
FEWEST_ROUNDS = 8  # of a loop whose stack could be one entry instead


class Liveness:
    """Separates the equations of a program that a result depends on from the others.

    An equation with an effect counts as read. A program that is called from two places is read if
    one of the calls is. `inputs` says which inputs of the program are read.
    """

    def __init__(self, jaxpr: Any, are_read: Sequence[bool] | None = None) -> None:
        self._read: dict[int, Any] = {}
        self._unread: dict[int, tuple[Any, Any]] = {}
        self.inputs = self._follow(jaxpr, are_read or [True] * len(jaxpr.outvars))

    def unread_callbacks(self) -> Iterator[tuple[Any, Any]]:
        """Yield each call of the host that no result and no effect of the program depends on.

        Beside it stands the unread call of a program that it is a part of, or the equation itself.
        """
        for equation, outer in self._unread.values():
            if equation.primitive.name == "pure_callback" and self.is_unread(equation):
                yield equation, outer

    def is_read(self, equation: Any) -> bool:
        """Return whether a result or an effect depends on what an equation computes."""
        return id(equation) in self._read

    def is_unread(self, equation: Any) -> bool:
        """Return whether the results of an equation reach no result and no effect."""
        return id(equation) in self._unread and id(equation) not in self._read

    def _follow(self, jaxpr: Any, are_read: Sequence[bool]) -> list[bool]:
        """Return which inputs of a program are read if some of its results are."""
        pairs = zip(jaxpr.outvars, are_read, strict=True)
        live = {v for v, is_read in pairs if is_read and not is_literal(v)}
        for equation in reversed(jaxpr.eqns):
            outs = [v in live for v in equation.outvars]
            if not any(outs) and not equation.effects:
                self._note_unread(equation)
                continue
            self._read[id(equation)] = equation
            ins = zip(equation.invars, self._inputs_read(equation, outs), strict=True)
            live.update(v for v, is_read in ins if is_read and not is_literal(v))
        return [v in live for v in jaxpr.invars]

    def _note_unread(self, equation: Any, outer: Any = None) -> None:
        outer = equation if outer is None else outer
        self._unread[id(equation)] = equation, outer
        for inner in programs_in(equation):
            for each in inner.eqns:
                self._note_unread(each, outer)

    def _inputs_read(self, equation: Any, outs: list[bool]) -> list[bool]:
        """Return which inputs of an equation its results depend on, where some of them are read."""
        name, everything = equation.primitive.name, [True] * len(equation.invars)
        called = called_program(name, equation.params)
        if called is not None and len(called.jaxpr.invars) == len(everything):
            return self._follow(called.jaxpr, outs)
        if name == "scan":
            return self._follow(equation.params["jaxpr"].jaxpr, outputs_of_body(equation, outs))
        if name == "cond":
            chosen = [self._follow(b.jaxpr, outs) for b in equation.params["branches"]]
            return [True, *(any(ways) for ways in zip(*chosen, strict=True))]
        for inner in programs_in(equation):
            self._follow(inner, [True] * len(inner.outvars))
        return everything


def outputs_of_body(scan: Any, outs: list[bool]) -> list[bool]:
    """Return which results of a scan's body are read: a value that it carries also by itself."""
    body = scan.params["jaxpr"].jaxpr
    consts, carried = shared_by_rounds(scan, body), carried_count(scan, body)
    for _ in range(carried):
        ins = Liveness(body, outs).inputs[consts : consts + carried]
        again = [a or b for a, b in zip(outs, ins, strict=False)] + outs[carried:]
        if again == outs:
            break
        outs = again
    return outs


def inputs_read(equation: Any, outs: list[bool]) -> list[bool]:
    """Return which inputs of an operation its results depend on, where some of them are read."""
    if equation.primitive.name == "scan":
        body = equation.params["jaxpr"].jaxpr
        return Liveness(body, outputs_of_body(equation, outs)).inputs
    return [True] * len(equation.invars)


def programs_in(equation: Any) -> Iterator[Any]:
    """Yield the programs that an equation holds, opened."""
    for value in equation.params.values():
        for one in value if isinstance(value, tuple | list) else (value,):
            inner = getattr(one, "jaxpr", one)
            if hasattr(inner, "eqns") and hasattr(inner, "invars"):
                yield inner


# ---------------------------------------------------------------- stacks


@dataclass(frozen=True)
class Level:
    """A program, and the equation that calls it in the program around it."""

    jaxpr: Any
    call: Any = None
    outer: Level | None = None


@dataclass(frozen=True)
class Stack:
    """What a scan stacks over its rounds, where nothing but the last entry is read.

    If it `is_returned`, nothing in the program reads it, and the caller gets it.
    """

    scan: Any
    aval: Any
    is_returned: bool

    @property
    def bytes(self) -> int:
        """The size in bytes."""
        return count_elements(self.aval) * element_bytes(self.aval)


def stacks_for_last(jaxpr: Any) -> Iterator[Stack]:
    """Yield the large stacks of a program of which it reads the last entry only, or returns all."""
    yield from _stacks_in(Level(jaxpr))


def _stacks_in(level: Level) -> Iterator[Stack]:
    for equation in level.jaxpr.eqns:
        inner = called_program(equation.primitive.name, equation.params)
        if inner is not None:
            yield from _stacks_in(Level(inner.jaxpr, equation, level))
        if equation.primitive.name == "scan" and equation.params["length"] >= FEWEST_ROUNDS:
            yield from _stacks_of(equation, level)


def _stacks_of(scan: Any, level: Level) -> Iterator[Stack]:
    last = 0 if scan.params["reverse"] else scan.params["length"] - 1
    carried = carried_count(scan, scan.params["jaxpr"].jaxpr)
    for out in scan.outvars[carried:]:
        if count_elements(out.aval) * element_bytes(out.aval) < LARGE_BYTES:
            continue
        readers = list(_readers(out, level))
        is_returned = readers == [None] and last > 0
        if is_returned or (readers and all(_takes_entry(reader, last) for reader in readers)):
            yield Stack(scan, out.aval, is_returned)


def _readers(variable: Any, level: Level) -> Iterator[Any]:
    """Yield the equations that read a variable, through calls; None for what the caller gets."""
    for equation in level.jaxpr.eqns:
        positions = [n for n, v in enumerate(equation.invars) if v is variable]
        inner = called_program(equation.primitive.name, equation.params) if positions else None
        if inner is not None and len(inner.jaxpr.invars) == len(equation.invars):
            for n in positions:
                yield from _readers(inner.jaxpr.invars[n], Level(inner.jaxpr, equation, level))
        elif positions:
            yield equation
    for n, out in enumerate(level.jaxpr.outvars):
        if out is variable and level.outer is None:
            yield None
        elif out is variable and level.outer is not None:
            yield from _readers(level.call.outvars[n], level.outer)


def _takes_entry(equation: Any, entry: int) -> bool:
    """Return whether an equation takes one entry of an array's first axis, at a fixed position."""
    if equation is None:
        return False
    if equation.primitive.name == "slice":
        starts, limits = equation.params["start_indices"], equation.params["limit_indices"]
        return bool(starts[0] == entry and limits[0] == entry + 1)
    return False


def is_literal(atom: Any) -> bool:
    """Return whether an input of an equation is a constant."""
    return hasattr(atom, "val")
