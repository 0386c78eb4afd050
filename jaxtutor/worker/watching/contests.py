"""Follows the comparisons by which a loop, or a step, keeps the best number that it has met.

If `x` is the same in each round, `best = jnp.where(x < best, x, best)` replaces `best` once at
most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from jaxtutor.core.data.observations import BestStays
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.internals import tracers
from jaxtutor.worker.watching.subprograms import Inlined, InlinedOperation, Name
from jaxtutor.worker.watching.wide_values import Value

LEAST_ROUNDS = 8  # as many calls of a step are evaluated
MOST_ELEMENTS = 100_000  # of a value that is compared from round to round
MOST_PROGRAMS = 200

_COMPARING = frozenset(("lt", "le", "gt", "ge"))
_KEEPING = frozenset(("min", "max"))
_ALIKE = frozenset("convert_element_type copy reshape squeeze broadcast_in_dim".split())


class Challenge(Struct, frozen=True):
    """The operation that compares a new number with the best one, and which operand is new.

    `kept` is the input that holds the best number, and `sources` are the inputs, as bits, that the
    new one depends on.
    """

    operation: Any
    operand: int
    kept: int
    sources: int


class Contest:
    """What is known of the numbers that were compared with the best one."""

    def __init__(self, challenge: Challenge, name: str) -> None:
        self.challenge = challenge
        self.name = name
        self.rounds = 0
        self.first: Any = None
        self.is_same = True
        self.varied = 0  # rounds in which something that the new number depends on had changed
        self.place: Frame | None = None
        self._last: dict[int, Any] = {}

    def begin_round(self, ins: Sequence[Value | None]) -> None:
        """Compare what the new number depends on with what it was in the round before."""
        given = {
            n: value.narrow
            for n, value in enumerate(ins)
            if self.challenge.sources >> n & 1 and n != self.challenge.kept and value is not None
        }
        self.varied += any(n in self._last and _differs(x, self._last[n]) for n, x in given.items())
        self._last = given

    def take(self, new: Any, place: Frame | None) -> None:
        """Compare a new number with the first one."""
        self.rounds += 1
        if self.first is None:
            self.first, self.place = np.array(new), place
        elif self.is_same:
            self.is_same = np.array_equal(self.first, new)

    @property
    def is_idle(self) -> bool:
        """Whether the new number was the same each time, though what it is made of had changed.

        Zeros are left out: nothing is less than an error of zero.
        """
        is_number = self.first is not None and bool(np.isfinite(self.first).all())
        is_often = self.rounds >= LEAST_ROUNDS and 2 * self.varied >= self.rounds
        return self.is_same and is_number and is_often and bool(self.first.any())


class Contests:
    """Finds such comparisons in the programs that are evaluated, and follows their numbers."""

    def __init__(self) -> None:
        self._programs: dict[int, tuple[Any, list[Contest]]] = {}  # held, so that no id is reused
        self._operations: dict[int, Contest] = {}

    def forget(self) -> None:
        """Discard what was recorded."""
        self._programs.clear()
        self._operations.clear()

    def begin_round(
        self, jaxpr: Any, carried: Mapping[int, int], ins: Sequence[Value | None]
    ) -> None:
        """Begin a round of a loop, or a call of a step, that passes on some of its results.

        `carried` are the inputs that were results of the round before, and which.
        """
        known = self._programs.get(id(jaxpr))
        if known is None:
            if len(self._programs) >= MOST_PROGRAMS:
                return
            found = [
                Contest(it, tracers.argument_name(jaxpr, it.kept))
                for it in challenges(jaxpr, carried)
            ]
            known = self._programs[id(jaxpr)] = jaxpr, found
            self._operations.update({id(it.challenge.operation): it for it in found})
        for contest in known[1]:
            contest.begin_round(ins)

    def take(self, equation: Any, ins: Sequence[Value], place: Frame | None) -> None:
        """Record the numbers that an operation compares, if it decides what is best."""
        contest = self._operations.get(id(equation))
        if contest is not None:
            contest.take(ins[contest.challenge.operand].narrow, place)

    def observations(self) -> Iterator[BestStays]:
        """Yield the comparisons whose new number was the same each time."""
        for contest in self._operations.values():
            if contest.is_idle and contest.place is not None:
                numbers = contest.first.reshape(-1)
                yield BestStays(
                    contest.name, f"{numbers[0]:.6g}", contest.rounds, frame=contest.place
                )


def challenges(jaxpr: Any, carried: Mapping[int, int]) -> Iterator[Challenge]:
    """Yield the comparisons of a program that decide whether a carried float is replaced."""
    program = Inlined(jaxpr)
    values = _Values(program)
    sources = _sources(program)
    often = Counter(id(step.equation) for step in program.operations)
    for given, position in carried.items():
        if getattr(jaxpr.invars[given].aval.dtype, "kind", "") != "f":
            continue
        found = values.decision(program.inputs[given], program.results[position])
        if found is not None and often[id(found[0].equation)] == 1:
            step, operand = found
            mask = sources.get(step.reads[operand], 0)
            if mask & ~(1 << given):
                yield Challenge(step.equation, operand, given, mask)


class _Values:
    """The values of a program. What is computed twice in the same way is one value."""

    def __init__(self, program: Inlined) -> None:
        self._same: dict[Name, Name] = {}
        self._makers: dict[Name, InlinedOperation] = {}
        known: dict[object, tuple[Name, ...]] = {}
        for step in program.operations:
            equation = step.equation
            atoms = zip(equation.invars, step.reads, strict=True)
            reads = tuple(
                repr(atom.val) if hasattr(atom, "val") else self.origin(name)
                for atom, name in atoms
            )
            if equation.primitive.name in _ALIKE and isinstance(reads[0], tuple):
                self._same[step.writes[0]] = reads[0]
                continue
            made = known.setdefault((equation.primitive, _key(equation.params), reads), step.writes)
            self._same.update(zip(step.writes, made, strict=True))
            self._makers.update({name: step for name in made if name in step.writes})

    def origin(self, name: Name) -> Name:
        """Return the value that a name stands for."""
        return self._same.get(name, name)

    def decision(self, best: Name, result: Name) -> tuple[InlinedOperation, int] | None:
        """Return what compares the best number with a new one, which is the result if it wins.

        The new number is the operand at the position that comes with it.
        """
        last = self._makers.get(self.origin(result))
        name = last.equation.primitive.name if last is not None else ""
        if last is not None and name == "select_n" and len(last.reads) == 3:
            cases = set(map(self.origin, last.reads[1:]))
            last = self._makers.get(self.origin(last.reads[0]))
            name = last.equation.primitive.name if last is not None else ""
            if last is None or name not in _COMPARING or set(map(self.origin, last.reads)) != cases:
                return None
        elif name not in _KEEPING:
            return None
        assert last is not None
        ends = list(map(self.origin, last.reads))
        return (last, 1 - ends.index(best)) if ends.count(best) == 1 else None


def _key(params: Mapping[str, Any]) -> object:
    """Return something by which the parameters of two equations can be compared."""
    try:
        return frozenset(params.items())
    except TypeError:  # a parameter of an older form
        return id(params)


def _sources(program: Inlined) -> dict[Name, int]:
    """Return which inputs each value of a program depends on, as bits."""
    known = {name: 1 << n for n, name in enumerate(program.inputs)}
    for step in program.operations:
        mask = 0
        for name in step.reads:
            mask |= known.get(name, 0)
        known.update(dict.fromkeys(step.writes, mask))
    return known


def _differs(one: Any, other: Any) -> bool:
    if not isinstance(one, np.ndarray):
        return one is not other  # keys
    return one.size <= MOST_ELEMENTS and not np.array_equal(one, other)
