"""Evaluates a jaxpr equation by equation and inspects each one."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.internals import places, tracers
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.watching.non_finite import NonFiniteOrigins
from jaxtutor.worker.watching.operations import ARITHMETIC, OperationWatch
from jaxtutor.worker.watching.subprograms import called_program

MOST_EQUATIONS = 20_000
MOST_SECONDS = 2.0  # of processor time, so that the load on the machine does not change the result
LEAST_ROUNDS = 12  # of a loop's body that are evaluated, however long the body is
MOST_LOOPED = 2_400  # equations in the further rounds of a loop
MOST_SCANNED = 1_000


@dataclass
class Budget:
    """The equations that may still be evaluated, the seconds spent, and when the walk has to end.

    Seconds are of processor time.
    """

    left: int = MOST_EQUATIONS
    spent: float = 0.0
    until: float = 0.0

    def begin(self) -> float:
        """Let a walk use the seconds that are left; return the time of its beginning."""
        started = time.process_time()
        self.until = started + MOST_SECONDS - self.spent
        return started

    def note_failure(self) -> None:
        """Count an evaluation that did not succeed: a few of them end all."""
        self.left -= MOST_EQUATIONS // 4

    @property
    def is_used_up(self) -> bool:
        """Whether nothing more is to be evaluated."""
        return self.left <= 0 or self.spent > MOST_SECONDS


class ProgramWalk:
    """Evaluates programs of the learner's, within a budget.

    With `is_following`, the origins of values that are not finite are followed.
    """

    def __init__(
        self, is_own: IsOwn, operations: OperationWatch, origins: NonFiniteOrigins, budget: Budget
    ) -> None:
        self.is_following = False
        self._is_own = is_own
        self._operations = operations
        self._origins = origins
        self._budget = budget

    def until(self, moment: float) -> None:
        """Let the next run go on until this processor time, whatever was spent before."""
        self._budget.until = moment

    def run(
        self,
        jaxpr: Any,
        consts: Sequence[Any],
        args: Sequence[Any],
        outer: Frame | None,
        is_backward: bool = False,
    ) -> list[Any]:
        """Evaluate a jaxpr and inspect each equation. Raises TimeoutError."""
        values: dict[Any, Any] = dict(zip(jaxpr.constvars, consts, strict=True))
        values.update(zip(jaxpr.invars, args, strict=True))
        is_own = is_own_program(jaxpr, self._is_own) or outer is None

        def read(atom: Any) -> Any:
            return atom.val if hasattr(atom, "val") else values[atom]

        for equation in jaxpr.eqns:
            self._budget.left -= 1
            if self._budget.left <= 0 or time.process_time() > self._budget.until:
                raise TimeoutError
            place = (places.place_of(equation, self._is_own) if is_own else None) or outer
            ins = [read(atom) for atom in equation.invars]
            if is_own:
                self._operations.library = places.library_call(equation.source_info)
            back = is_backward or "transpose" in str(equation.source_info.name_stack)
            made = self._origins.count
            outs = self._step(equation, ins, place, back)
            is_looked_at = called_program(equation.primitive.name, equation.params) is None
            if place is not None and is_looked_at and not self._may_wrap(equation):
                self._operations.look(
                    equation.primitive.name, equation.params, ins, outs, place, back
                )
            if self.is_following:
                self._origins.follow(equation.primitive.name, ins, outs, place, back, made)
            values.update(zip(equation.outvars, outs, strict=True))
        return [read(atom) for atom in jaxpr.outvars]

    def _may_wrap(self, equation: Any) -> bool:
        """Return whether an equation is a library's integer arithmetic: a sampler shuffles bits."""
        if equation.primitive.name not in ARITHMETIC:
            return False
        is_integer = all(v.aval.dtype.kind in "iu" for v in equation.outvars)
        return is_integer and places.is_librarys(equation.source_info, self._is_own)

    def _step(
        self, equation: Any, ins: list[Any], place: Frame | None, is_backward: bool
    ) -> list[Any]:
        name, params = equation.primitive.name, equation.params
        inner = called_program(name, params)
        if params.get("name") == "_one_hot" and place is not None:
            self._operations.look_at_one_hot(inner, ins, place)
        if inner is not None and not tracers.draws_numbers(inner.jaxpr):
            return self.run(inner.jaxpr, inner.consts, ins, place, is_backward)
        if name == "cond":
            branches = params["branches"]
            chosen = branches[int(np.clip(np.asarray(ins[0]), 0, len(branches) - 1))]
            return self.run(chosen.jaxpr, chosen.consts, ins[1:], place)
        if name == "while":
            return self._walk_while(params, ins, place)
        if name == "scan":
            self._walk_scan(equation, ins, place)
        if equation.effects or "callback" in name:
            raise NotImplementedError  # the effect would happen twice
        answer = equation.primitive.bind(*ins, **params)
        return list(answer) if equation.primitive.multiple_results else [answer]

    def _walk_scan(self, equation: Any, ins: list[Any], place: Frame | None) -> None:
        body = equation.params["jaxpr"]
        jaxpr = body.jaxpr
        if equation.params["length"] > MOST_SCANNED:
            raise NotImplementedError  # it would double the run time
        is_mapped = [
            getattr(v.aval, "ndim", 0) > getattr(i.aval, "ndim", 0)
            for v, i in zip(equation.invars, jaxpr.invars, strict=True)
        ]
        carries = sum(
            getattr(v.aval, "ndim", 0) == getattr(i.aval, "ndim", 0)
            for v, i in zip(equation.outvars, jaxpr.outvars, strict=True)
        )
        fixed = len(ins) - sum(is_mapped) - carries
        carry = ins[fixed : fixed + carries]
        rounds = list(range(equation.params["length"]))
        if equation.params.get("reverse"):
            rounds.reverse()
        for position in rounds[: _most_rounds(jaxpr)]:
            xs = [x[position] for x in ins[fixed + carries :]]
            answer = self.run(jaxpr, body.consts, [*ins[:fixed], *carry, *xs], place)
            carry = answer[:carries]

    def _walk_while(self, params: Any, ins: list[Any], place: Frame | None) -> list[Any]:
        before, body = params["cond_nconsts"], params["body_nconsts"]
        of_cond, of_body = ins[:before], ins[before : before + body]
        state = ins[before + body :]
        test, step = params["cond_jaxpr"], params["body_jaxpr"]
        for _ in range(_most_rounds(step.jaxpr)):
            if not bool(self.run(test.jaxpr, test.consts, [*of_cond, *state], place)[0]):
                return state
            state = self.run(step.jaxpr, step.consts, [*of_body, *state], place)
        raise NotImplementedError  # the number of iterations is not known


def is_own_program(jaxpr: Any, is_own: IsOwn) -> bool:
    """Return whether a program is of a function of the learner's, also one that is wrapped."""
    where = tracers.program_place(jaxpr)
    return where is not None and (is_own(where[1]) or places.is_wrapper(where[1]))


def _most_rounds(jaxpr: Any) -> int:
    """Return how many rounds of a loop are evaluated: all of a short body's."""
    return max(LEAST_ROUNDS, MOST_LOOPED // max(1, len(jaxpr.eqns)))
