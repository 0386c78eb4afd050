"""Looks at the indices of later calls of a compiled program, which is evaluated in full only once.

A window may reach past the end, or a batch hold an id that the table lacks, in a later call only.
Of a program that looks something up by indices made from its arguments, only these indices are
computed, for the first calls.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from jaxtutor.worker.watching.subprograms import called_program

MOST_CALLS = 200  # of one program; an index that grows by one has passed most ends by then
MOST_PROGRAMS = 100
MOST_INDICES = 8_192  # elements of a value that indices are made from
MOST_STEPS = 80  # equations that the indices of one program take
MOST_EVALUATED = 16_000  # equations, for all programs together
MOST_SECONDS = 3.0  # of processor time: a guard only

LOOKUPS = {"gather": 1, "dynamic_slice": 1, "dynamic_update_slice": 2}
"""The operations that move an index which is out of bounds, and the position of their indices."""

COMPARISONS = ("eq", "ne")
"""`==` and `!=` of arrays are programs of JAX; floats may be nearly equal in a later call only."""

Look = Callable[[Any, Any, list[Any]], None]
"""Is given a lookup, the equation of the learner's program that it belongs to, and its operands."""


@dataclass
class _Plan:
    """What has to be computed of one program to know its indices."""

    jaxpr: Any
    wanted: set[int] = field(default_factory=set)
    lookups: set[int] = field(default_factory=set)
    calls: int = 0
    is_fit: bool = False


class IndexWatch:
    """Follows the calls of programs with lookups."""

    def __init__(self, look: Look, is_own_program: Callable[[Any], bool]) -> None:
        self._look = look
        self._is_own_program = is_own_program
        self._plans: dict[int, _Plan] = {}  # those without lookups too: an id stays their own
        self._left = MOST_EVALUATED
        self._spent = 0.0
        self.is_following = False

    def take(self, closed: Any, args: Sequence[Any]) -> bool:
        """Look at the indices of a call, and return whether the program was called before.

        `is_following` then says whether the next call has to be seen too.
        """
        plan = self._plan(closed)
        self.is_following = plan is not None
        if plan is None:
            return False
        plan.calls += 1
        is_affordable = self._left > 0 and self._spent <= MOST_SECONDS
        self.is_following = plan.calls <= MOST_CALLS and is_affordable
        if plan.calls == 1:
            return False
        if not self.is_following:
            return True
        started = time.process_time()
        self._left -= len(plan.wanted) + len(plan.lookups)
        try:
            self._evaluate(plan, closed.jaxpr, closed.consts, list(args))
        except Exception:  # this must never change what the learner sees
            plan.is_fit = False
        self._spent += time.process_time() - started
        return True

    def _plan(self, closed: Any) -> _Plan | None:
        key = id(closed.jaxpr)
        if key not in self._plans:
            if len(self._plans) >= MOST_PROGRAMS:
                return None
            plan = _Plan(closed.jaxpr)
            needed = self._mark(plan, closed.jaxpr, set())
            steps = len(plan.wanted) + len(plan.lookups)
            plan.is_fit = bool(needed and plan.lookups) and steps <= MOST_STEPS
            self._plans[key] = plan
        return self._plans[key] if self._plans[key].is_fit else None

    def _mark(self, plan: _Plan, jaxpr: Any, outs: set[Any]) -> set[Any]:
        """Mark the equations that the lookups of a program, and some outputs, take.

        Return the inputs that are needed. An empty set if they take more than indices usually do.
        """
        needed = set(outs)
        for equation in reversed(jaxpr.eqns):
            name = equation.primitive.name
            inner = called_program(name, equation.params)
            made = needed & set(equation.outvars)
            if inner is not None:
                pairs = zip(equation.outvars, inner.jaxpr.outvars, strict=True)
                wanted = {v for o, v in pairs if o in made and not hasattr(v, "val")}
                before = len(plan.lookups)
                given = self._mark(plan, inner.jaxpr, wanted)
                if made or len(plan.lookups) > before:
                    plan.wanted.add(id(equation))
                    positions = zip(inner.jaxpr.invars, equation.invars, strict=True)
                    needed |= {a for v, a in positions if v in given and not hasattr(a, "val")}
                continue
            read: Sequence[Any] = ()
            if name in COMPARISONS and jaxpr is plan.jaxpr and _is_comparison(jaxpr):
                if self._is_own_program(jaxpr):
                    continue
                plan.lookups.add(id(equation))
                read = equation.invars
            elif name in LOOKUPS:
                plan.lookups.add(id(equation))
                start = LOOKUPS[name]
                read = equation.invars[start : start + 1 if name == "gather" else None]
            if made:
                plan.wanted.add(id(equation))
                read = equation.invars
                if not _is_cheap(equation):
                    plan.wanted.update(range(MOST_STEPS))  # more than is allowed
            needed |= {v for v in read if not hasattr(v, "val")}
        return needed & set(jaxpr.invars)

    def _evaluate(
        self,
        plan: _Plan,
        jaxpr: Any,
        consts: Sequence[Any],
        args: Sequence[Any],
        outer: Any = None,
    ) -> list[Any]:
        values: dict[Any, Any] = dict(zip(jaxpr.constvars, consts, strict=True))
        values.update(zip(jaxpr.invars, args, strict=True))

        def read(atom: Any) -> Any:
            return atom.val if hasattr(atom, "val") else values.get(atom, atom.aval)

        is_own = outer is None or self._is_own_program(jaxpr)
        for equation in jaxpr.eqns:
            ins = [read(atom) for atom in equation.invars]
            around = equation if is_own else outer
            if id(equation) in plan.lookups:
                self._look(equation, around, ins)
            if id(equation) not in plan.wanted:
                continue
            inner = called_program(equation.primitive.name, equation.params)
            if inner is not None:
                outs = self._evaluate(plan, inner.jaxpr, inner.consts, ins, around)
            else:
                answer = equation.primitive.bind(*ins, **equation.params)
                outs = list(answer) if equation.primitive.multiple_results else [answer]
            values.update(zip(equation.outvars, outs, strict=True))
        return [read(atom) for atom in jaxpr.outvars]


def _is_comparison(jaxpr: Any) -> bool:
    """Return whether a program compares two floating numbers, after conversions at most."""
    names = [e.primitive.name for e in jaxpr.eqns]
    types = [getattr(v.aval, "dtype", np.dtype("i4")) for v in jaxpr.invars]
    kinds = [getattr(dtype, "kind", "") for dtype in types]  # the dtype of a key has none
    rest = set(names) - {*COMPARISONS, "convert_element_type"}
    shapes = [getattr(v.aval, "shape", ()) for v in jaxpr.invars]
    return not rest and len(names) <= 3 and "f" in kinds and not any(shapes)


_COSTLY = frozenset({"scan", "while", "cond", "dot_general", "conv_general_dilated", "sort"})


def _is_cheap(equation: Any) -> bool:
    """Return whether an equation may be computed twice: small, without effects, no loop."""
    if equation.effects or equation.primitive.name in _COSTLY | set(LOOKUPS):
        return False
    sizes = [np.prod(getattr(v.aval, "shape", ()), dtype=np.int64) for v in equation.outvars]
    return all(size <= MOST_INDICES for size in sizes)
