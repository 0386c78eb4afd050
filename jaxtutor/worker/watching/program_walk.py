"""Evaluates a jaxpr equation by equation, in its own precision and in 64 bits, and inspects each.

What cannot be evaluated again is left out, and so is what depends on it; the rest goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.internals import places, tracers
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.watching.both_precisions import by_jax, by_numpy, in_64_bits
from jaxtutor.worker.watching.contests import Contests
from jaxtutor.worker.watching.coverage import Followed
from jaxtutor.worker.watching.gradient_steps import GradientSteps
from jaxtutor.worker.watching.late_calls import is_sum
from jaxtutor.worker.watching.long_loops import (
    AT_A_BORDER,
    WHILE_PARTS,
    ScanPart,
    Stacks,
    WhileParts,
    split_rounds,
)
from jaxtutor.worker.watching.lost_operands import Lost, lost_operand
from jaxtutor.worker.watching.mapped_branches import MappedBranches
from jaxtutor.worker.watching.non_finite import NonFiniteOrigins
from jaxtutor.worker.watching.numpy_operations import count_products
from jaxtutor.worker.watching.one_values import OneValues
from jaxtutor.worker.watching.operations import ARITHMETIC, OperationWatch
from jaxtutor.worker.watching.precision import PrecisionWatch
from jaxtutor.worker.watching.ranks import RankWatch
from jaxtutor.worker.watching.seeded_keys import SeededKeys
from jaxtutor.worker.watching.subprograms import called_program, carried_count, shared_by_rounds
from jaxtutor.worker.watching.wide_values import (
    MOST_ELEMENTS,
    Companions,
    Value,
    alone,
    wide_dtype,
)

MOST_EQUATIONS = 30_000  # and single operations
MOST_LATER = 20_000  # in calls of a program after its first
MOST_SECONDS = 20.0  # of processor time: a guard only, so that two runs find the same
ELEMENTS_AN_EQUATION = 20_000  # elements that take about as long as an equation by itself
PRODUCTS_AN_EQUATION = 1_000_000
BY_JAX = 4  # equations that take about as long as one that NumPy lacks, once it is compiled
LEAST_ROUNDS = 12  # of a loop's body that are evaluated, however long the body is
MOST_LOOPED = 2_400  # equations in the further rounds of a loop


class Exhausted(Exception):
    """The budget of a walk is used up."""


@dataclass
class Budget:
    """The equations that may still be evaluated, and when the walk has to end at the latest.

    `until` is a processor time. Large arrays count as several equations.
    """

    left: int = MOST_EQUATIONS
    later: int = MOST_LATER
    spent: float = 0.0
    until: float = 0.0
    is_later: bool = False

    def begin(self) -> float:
        """Let a walk use the seconds that are left; return the time of its beginning."""
        started = time.process_time()
        self.until = started + MOST_SECONDS - self.spent
        return started

    def take(self, count: int) -> None:
        """Take some equations off. Raises Exhausted."""
        if self.is_later:
            self.later -= count
        else:
            self.left -= count
        rest = self.later if self.is_later else self.left
        if rest <= 0 or time.process_time() > self.until:
            raise Exhausted

    def count_single(self) -> None:
        """Count an operation that the program evaluated by itself, and that was looked at."""
        self.left -= 1

    @property
    def is_used_up(self) -> bool:
        """Whether nothing more is to be evaluated."""
        return self.left <= 0 or self.spent > MOST_SECONDS


Values = list[Value | None]
"""Values of a program; None for one that was not followed."""


class ProgramWalk:
    """Evaluates programs of the learner's, within a budget."""

    def __init__(
        self,
        is_own: IsOwn,
        operations: OperationWatch,
        precision: PrecisionWatch,
        origins: NonFiniteOrigins,
        budget: Budget,
        followed: Followed,
    ) -> None:
        self._is_own = is_own
        self._operations = operations
        self._precision = precision
        self._origins = origins
        self._budget = budget
        self._followed = followed
        self._places: dict[int, tuple[Any, Frame | None, bool, str]] = {}
        self._rounds: dict[int, int] = {}
        self._ranks = RankWatch(operations.note)
        self.companions = Companions()
        self.contests = Contests()
        self.steps = GradientSteps()
        self.one_values = OneValues()
        self.seeds = SeededKeys(is_own, operations.note)

    def until(self, moment: float) -> None:
        """Let the next run go on until this processor time, whatever was spent before."""
        self._budget.until = moment

    def run_program(
        self,
        closed: Any,
        args: Sequence[Any],
        outer: Frame | None,
        carried: Mapping[int, int] | None = None,
    ) -> Values:
        """Evaluate a program for what it is given, and record what its results have lost.

        `carried` are inputs that the call before returned, with the positions of these results.
        Raises Exhausted.
        """
        jaxpr = closed.jaxpr
        ins: Values = [
            self.companions.value_of(given, v.aval.dtype)
            for given, v in zip(args, jaxpr.invars, strict=True)
        ]
        self.one_values.recall(args, ins)
        made, outs = self._origins.count, Values()
        try:
            with np.errstate(all="ignore"):
                if carried:
                    self._begin_round(jaxpr, carried, ins)
                outs = self.run(jaxpr, closed.consts, ins, outer)
                self._precision.reach(outs)
                if carried:
                    self._end_round(jaxpr, carried, ins, outs)
                    self._compare_carried(jaxpr, ins, outs, carried, outer)
                else:
                    self._compare_states(jaxpr, ins, outs, outer)
        finally:
            self._origins.settle([out.narrow for out in outs if out is not None], made)
        return outs

    def run(
        self,
        jaxpr: Any,
        consts: Sequence[Any],
        args: Sequence[Value | None],
        outer: Frame | None,
        is_backward: bool = False,
    ) -> Values:
        """Evaluate a jaxpr and inspect each equation. Raises Exhausted."""
        values: dict[Any, Value | None] = {
            v: self.companions.value_of(const, v.aval.dtype)
            for v, const in zip(jaxpr.constvars, consts, strict=True)
        }
        values.update(zip(jaxpr.invars, args, strict=True))
        is_own = is_own_program(jaxpr, self._is_own) or outer is None
        branches = self._branches() if jaxpr.effects else None
        last_uses = _last_uses(jaxpr, self.steps.variables)

        def read(atom: Any) -> Value | None:
            if hasattr(atom, "val"):
                return self.companions.value_of(atom.val, atom.aval.dtype)
            return values[atom]

        for position, equation in enumerate(jaxpr.eqns):
            place, back, library = self._place(equation)
            place = (place if is_own else None) or outer
            if is_own:
                self._operations.library = library
            ins = [read(atom) for atom in equation.invars]
            if branches is not None:
                branches.look(equation, ins)
            outs = self._step(equation, ins, place, is_backward or back)
            values.update(zip(equation.outvars, outs, strict=True))
            for variable in last_uses.get(position, ()):
                values.pop(variable, None)
        self.steps.take(jaxpr, values)
        return [read(atom) for atom in jaxpr.outvars]

    def _branches(self) -> MappedBranches:
        return MappedBranches(self._is_own, self._operations.note)

    def _place(self, equation: Any) -> tuple[Frame | None, bool, str]:
        """Return an equation's place, whether it is of a gradient, and the library it is of."""
        known = self._places.get(id(equation))
        if known is None:
            info = equation.source_info
            known = self._places[id(equation)] = (
                equation,
                places.place_of(equation, self._is_own),
                "transpose" in str(info.name_stack),
                places.library_call(info),
            )
        return known[1:]

    def look_at_single(
        self, name: str, params: Any, args: Sequence[Any], outs: Sequence[Any], place: Frame
    ) -> None:
        """Inspect an operation that the program evaluated by itself, and its 64-bit companion."""
        sizes = [np.size(x) for x in (*args, *outs)]
        if not all(isinstance(x.dtype, np.dtype) for x in outs) or max(sizes) > MOST_ELEMENTS:
            return
        ins = [self.companions.value_of(x, jax.typeof(x).dtype) for x in args]
        with np.errstate(all="ignore"):
            narrow = [np.asarray(x) for x in outs]
            joined = self._widen(name, params, ins, narrow, place)
            self._precision.reach(joined)
            self.one_values.recall(args, ins)
            self._look_for_one_value(name, params, ins, joined, place)
        for out, value in zip(outs, joined, strict=True):
            if value is not None:
                self.keep(out, value)

    def keep(self, array: Any, value: Value) -> None:
        """Remember what is known of an array that the program holds."""
        self.companions.keep(array, value)
        self.one_values.keep(array, value)

    def _look_for_one_value(
        self,
        name: str,
        params: Any,
        ins: Sequence[Value],
        outs: Values,
        place: Frame | None,
        is_backward: bool = False,
    ) -> None:
        with suppress(Exception):  # one that fails leaves the others
            self.one_values.take(name, params, ins, outs, place, is_backward)

    # ------------------------------------------------------------ one equation

    def _step(self, equation: Any, ins: Values, place: Frame | None, is_backward: bool) -> Values:
        name, params = equation.primitive.name, equation.params
        inner = called_program(name, params)
        made = self._origins.count
        if inner is not None and not tracers.draws_numbers(inner.jaxpr):
            if params.get("name") == "_one_hot" and place is not None and ins[0] is not None:
                self._operations.look_at_one_hot(inner, [ins[0].narrow], place)
            return self.run(inner.jaxpr, inner.consts, ins, place, is_backward)
        if name in _CONTROL_FLOW:
            outs = _CONTROL_FLOW[name](self, equation, ins, place, is_backward)
            self._follow(name, ins, outs, place, is_backward, made)
            return outs
        if any(value is None for value in ins):
            return [None] * len(equation.outvars)
        if equation.effects or "callback" in name:  # the effect would happen twice
            is_callback = "callback" in name or name == "debug_print"
            self._followed.leave_out("a callback" if is_callback else name)
            return [None] * len(equation.outvars)
        known = [value for value in ins if value is not None]
        is_learners = not is_backward and not self._may_wrap(equation)
        self.contests.take(equation, known, place)
        outs = self._evaluate(equation, known, place if is_learners else None)
        self._look(equation, known, outs, place, is_backward)
        if not is_backward:
            with suppress(Exception):  # one that fails leaves the others
                self.seeds.take(equation, known, outs, place)
        self._follow(name, ins, outs, place, is_backward, made, params)
        self._look_for_one_value(name, params, known, outs, place, is_backward)
        if not is_backward:
            self._ranks.look(name, known, outs, place)
        return outs

    def _evaluate(self, equation: Any, ins: Sequence[Value], place: Frame | None) -> Values:
        """Evaluate an equation by NumPy, or else by JAX; None for what neither can."""
        name, params = equation.primitive.name, equation.params
        self._budget.take(_cost(name, params, equation))
        self._followed.operations += 1
        avals = [v.aval for v in equation.outvars]
        narrow: list[Any] | None = None
        with suppress(Exception):  # JAX evaluates what NumPy has in another form
            narrow = by_numpy(name, params, [value.narrow for value in ins], avals)
        if narrow is None:
            self._budget.take(BY_JAX - 1)
            try:
                narrow = by_jax(equation, [value.narrow for value in ins])
            except Exception:  # one operation that cannot be evaluated again leaves the others
                self._followed.leave_out(name)
                return [None] * len(avals)
        return self._widen(name, params, ins, narrow, place)

    def _widen(
        self,
        name: str,
        params: Any,
        ins: Sequence[Value],
        narrow: list[Any],
        place: Frame | None,
    ) -> Values:
        """Join the results of an operation with those that it has in 64 bits."""
        are_wide = [wide_dtype(out.dtype) is not None or out.dtype == bool for out in narrow]
        largest = max(a.size for a in (*narrow, *(v.narrow for v in ins)))
        if not any(are_wide) or largest > MOST_ELEMENTS:
            return [alone(out) for out in narrow]
        try:
            wide = in_64_bits(name, params, ins, narrow)
        except Exception:  # such as a power that 64-bit integers refuse
            return [alone(out) for out in narrow]
        self._followed.widened += 1
        return [
            self._precision.join(name, ins, out, exact, place) if is_wide else alone(out)
            for out, exact, is_wide in zip(narrow, wide, are_wide, strict=True)
        ]

    def _look(
        self,
        equation: Any,
        ins: Sequence[Value],
        outs: Values,
        place: Frame | None,
        is_backward: bool,
    ) -> None:
        if place is None or any(out is None for out in outs):
            return
        with suppress(Exception):  # what one operation does not allow leaves the others
            self._operations.look(
                equation.primitive.name,
                equation.params,
                [value.narrow for value in ins],
                [out.narrow for out in outs if out is not None],
                place,
                is_backward,
            )

    def _follow(
        self,
        name: str,
        ins: Values,
        outs: Values,
        place: Frame | None,
        is_backward: bool,
        since: int,
        params: Any = None,
    ) -> None:
        known = [value for value in ins if value is not None]
        results = [value.narrow for value in outs if value is not None]
        self._origins.follow(
            name,
            [value.narrow for value in known],
            results,
            place,
            is_backward,
            since,
            explain=lambda: lost_operand(name, params, known, results),
        )

    def lost_of_single(
        self, name: str, params: Any, args: Sequence[Any], outs: Sequence[Any]
    ) -> Lost | None:
        """Return what is lost of the operands of an operation that the program evaluated."""
        ins = [self.companions.value_of(x, jax.typeof(x).dtype) for x in args]
        return lost_operand(name, params, ins, [np.asarray(out) for out in outs])

    def _may_wrap(self, equation: Any) -> bool:
        """Return whether an equation is a library's integer arithmetic: a sampler shuffles bits."""
        if equation.primitive.name not in ARITHMETIC:
            return False
        is_integer = all(v.aval.dtype.kind in "iu" for v in equation.outvars)
        return is_integer and places.is_librarys(equation.source_info, self._is_own)

    # ------------------------------------------------------------ branches and loops

    def _walk_cond(
        self, equation: Any, ins: Values, place: Frame | None, is_backward: bool
    ) -> Values:
        branches, index = equation.params["branches"], ins[0]
        if index is None:
            return [None] * len(equation.outvars)
        chosen = branches[int(np.clip(int(index.narrow), 0, len(branches) - 1))]
        return self.run(chosen.jaxpr, chosen.consts, ins[1:], place, is_backward)

    def _walk_scan(
        self, equation: Any, ins: Values, place: Frame | None, is_backward: bool
    ) -> Values:
        body, length = equation.params["jaxpr"], equation.params["length"]
        jaxpr = body.jaxpr
        first, count = shared_by_rounds(equation, jaxpr), carried_count(equation, jaxpr)
        fixed, mapped = ins[:first], ins[first + count :]
        carry = list(ins[first : first + count])
        carried = {first + n: n for n in range(count)}
        order = range(length - 1, -1, -1) if equation.params.get("reverse") else range(length)
        stacks, done, left_out = Stacks(equation), 0, 0
        for start, stop in split_rounds(length, self._most_rounds(jaxpr)):
            if start > done:
                self._precision.reach(carry)  # whose companions end here
                part = ScanPart(equation, fixed, carry, mapped, order[done:start])
                try:
                    outs = part.run()
                    last_right = part.last_right(outs)
                    carry = [self._companion(out) for out in outs[:count]]
                    stacks.add_part([alone(out) for out in outs[count:]])
                except Exception:  # the rounds after these are not known
                    left_out = length - done
                    carry = [None] * count
                    stacks.add_part(None)
                    break
                if last_right is not None:
                    self.run(jaxpr, body.consts, last_right, place, is_backward)
            rows = []
            for position in order[start:stop]:
                given = [*fixed, *carry, *(_item(x, position) for x in mapped)]
                if not is_backward:
                    self._begin_round(jaxpr, carried, given)
                answer = self.run(jaxpr, body.consts, given, place, is_backward)
                if not is_backward:
                    self._end_round(jaxpr, carried, given, answer)
                    self._compare_carry(jaxpr, carry, answer[:count], place)
                carry = answer[:count]
                rows.append(answer[count:])
            stacks.add_rounds(rows)
            done = stop
        if left_out:
            self._followed.leave_out("rounds of a loop", left_out)
        return [*carry, *stacks.joined()]

    def _walk_while(
        self, equation: Any, ins: Values, place: Frame | None, is_backward: bool
    ) -> Values:
        params = equation.params
        before, body = params["cond_nconsts"], params["body_nconsts"]
        of_cond, of_body = ins[:before], ins[before : before + body]
        state = list(ins[before + body :])
        test, step = params["cond_jaxpr"], params["body_jaxpr"]
        rounds = self._most_rounds(step.jaxpr)
        carried = {body + n: n for n in range(len(state))}
        parts: WhileParts | None = None
        for at_once in (0, *WHILE_PARTS):
            try:
                if at_once:
                    self._precision.reach(state)
                    parts = parts or WhileParts(equation, ins)
                    outs = parts.run(state, at_once)
                    last_right = parts.last_right(state, outs, at_once)
                    state = [self._companion(x) for x in outs]
            except Exception:  # the rounds after these are not known
                break
            if at_once and last_right is not None:
                self.run(step.jaxpr, step.consts, [*of_body, *last_right], place, is_backward)
            for _ in range(AT_A_BORDER if at_once else rounds):
                (goes_on,) = self.run(
                    test.jaxpr, test.consts, [*of_cond, *state], place, is_backward
                )
                if goes_on is None:
                    return self._not_followed(state)
                if not np.any(goes_on.narrow):
                    return state
                self._branches().look_at_round(equation, goes_on.narrow)
                given = [*of_body, *state]
                if not is_backward:
                    self._begin_round(step.jaxpr, carried, given)
                after = self.run(step.jaxpr, step.consts, given, place, is_backward)
                if not is_backward:
                    self._end_round(step.jaxpr, carried, given, after)
                    self._compare_carry(step.jaxpr, state, after, place)
                state = [_chosen(goes_on.narrow, *pair) for pair in zip(after, state, strict=True)]
        return self._not_followed(state)

    def _walk_linear_solve(
        self, equation: Any, ins: Values, place: Frame | None, is_backward: bool
    ) -> Values:
        """Evaluate the solution that a system of linear equations is given with."""
        lengths, solve = equation.params["const_lengths"], equation.params["jaxprs"].solve
        first = lengths.matvec + lengths.vecmat
        given = [*ins[first : first + lengths.solve], *ins[sum(lengths) :]]
        return self.run(solve.jaxpr, solve.consts, given, place, is_backward)

    def _not_followed(self, state: Values) -> Values:
        self._followed.leave_out("rounds of a loop")  # how many is not known
        return [None] * len(state)

    def _most_rounds(self, jaxpr: Any) -> int:
        """Return how many rounds of a loop are evaluated: all of a short body's."""
        known = self._rounds.get(id(jaxpr))
        if known is None:
            size = sum(1 for _ in _all_equations(jaxpr))
            known = self._rounds[id(jaxpr)] = max(LEAST_ROUNDS, MOST_LOOPED // max(1, size))
        return known

    def _companion(self, array: Any) -> Value:
        return self.companions.value_of(array, array.dtype)

    # ------------------------------------------------------------ states

    def _begin_round(self, jaxpr: Any, carried: Mapping[int, int], ins: Values) -> None:
        """Prepare to follow what a round compares with the best number so far."""
        with suppress(Exception):  # a form not met yet leaves the round to be evaluated
            self.contests.begin_round(jaxpr, carried, ins)

    def _end_round(self, jaxpr: Any, carried: Mapping[int, int], ins: Values, outs: Values) -> None:
        """Compare what a round has changed with the gradients that it computed."""
        with suppress(Exception):
            self.steps.end_round(jaxpr, carried, ins, outs)

    def _compare_carry(
        self, jaxpr: Any, before: Values, after: Values, place: Frame | None
    ) -> None:
        for position, (old, new) in enumerate(zip(before, after, strict=True)):
            if old is not None and new is not None:
                where = self._made_at(jaxpr, position) or place
                self._precision.compare_state(id(jaxpr), position, old, new, where)

    def _compare_carried(
        self,
        jaxpr: Any,
        ins: Values,
        outs: Values,
        carried: Mapping[int, int],
        place: Frame | None,
    ) -> None:
        """Compare what a step got of the step before with what it returns in its place."""
        for given, position in carried.items():
            before, after = ins[given], outs[position]
            if jaxpr.invars[given] is jaxpr.outvars[position] or before is None or after is None:
                continue
            where = self._made_at(jaxpr, position) or place
            is_added_to = is_sum(jaxpr, given, position)
            if is_added_to or before.narrow.dtype.itemsize < 4:
                name = tracers.argument_name(jaxpr, given) if is_added_to else ""
                program = tracers.program_place(jaxpr)
                self._precision.compare_state(program, position, before, after, where, name)

    def _compare_states(self, jaxpr: Any, ins: Values, outs: Values, place: Frame | None) -> None:
        """Compare what a step is given with what it returns in its place, by order and type."""
        free = list(zip(jaxpr.invars, ins, strict=True))
        for position, (atom, new) in enumerate(zip(jaxpr.outvars, outs, strict=True)):
            kind = getattr(atom.aval, "dtype", None), getattr(atom.aval, "shape", None)
            old = next(
                (n for n, (v, _) in enumerate(free) if (v.aval.dtype, v.aval.shape) == kind), None
            )
            if old is None:
                continue
            variable, before = free.pop(old)
            if variable is not atom and before is not None and new is not None:
                where = self._made_at(jaxpr, position) or place
                program = tracers.program_place(jaxpr)
                self._precision.compare_state(program, position, before, new, where)

    def _made_at(self, jaxpr: Any, position: int) -> Frame | None:
        """Return the place of the equation that makes a result."""
        atom = jaxpr.outvars[position]
        makers = (e for e in jaxpr.eqns if any(v is atom for v in e.outvars))
        maker = next(makers, None)
        return self._place(maker)[0] if maker is not None else None


_Walk = Callable[[ProgramWalk, Any, Values, Frame | None, bool], Values]
_CONTROL_FLOW: dict[str, _Walk] = {
    "cond": ProgramWalk._walk_cond,
    "custom_linear_solve": ProgramWalk._walk_linear_solve,
    "scan": ProgramWalk._walk_scan,
    "while": ProgramWalk._walk_while,
}


def is_own_program(jaxpr: Any, is_own: IsOwn) -> bool:
    """Return whether a program is of a function of the learner's, also one that is wrapped."""
    where = tracers.program_place(jaxpr)
    return where is not None and (is_own(where[1]) or places.is_wrapper(where[1]))


def _all_equations(jaxpr: Any) -> Iterator[Any]:
    for equation in jaxpr.eqns:
        yield equation
        inner = called_program(equation.primitive.name, equation.params)
        if inner is not None:
            yield from _all_equations(inner.jaxpr)


def _last_uses(jaxpr: Any, wanted: Container[Any]) -> dict[int, list[Any]]:
    """Return the variables that are used last by each equation, by its position.

    Results of the program are left out, and those that are wanted when it has been evaluated.
    """
    last = {
        atom: position
        for position, equation in enumerate(jaxpr.eqns)
        for atom in equation.invars
        if not hasattr(atom, "val")
    }
    kept = {atom for atom in jaxpr.outvars if not hasattr(atom, "val")}
    found: dict[int, list[Any]] = {}
    for variable, position in last.items():
        if variable not in kept and variable not in wanted:
            found.setdefault(position, []).append(variable)
    return found


def _cost(name: str, params: Any, equation: Any) -> int:
    sizes = [int(np.prod(v.aval.shape)) for v in (*equation.invars, *equation.outvars)]
    cost = 1 + sum(sizes) // ELEMENTS_AN_EQUATION
    if name == "dot_general":
        shapes = [v.aval.shape for v in equation.invars]
        cost += count_products(params, shapes) // PRODUCTS_AN_EQUATION
    elif name == "conv_general_dilated":  # each element of the result reads one filter
        features = equation.outvars[0].aval.shape[params["dimension_numbers"].out_spec[1]]
        cost += sizes[-1] * (sizes[1] // max(1, features)) // PRODUCTS_AN_EQUATION
    return cost


def _item(value: Value | None, position: int) -> Value | None:
    """Return what a round of a loop gets of a value that is mapped over."""
    if value is None:
        return None
    narrow = value.narrow[position]
    if isinstance(value.narrow, np.ndarray):
        narrow = np.asarray(narrow)  # not a number of NumPy
    if value.is_same:
        return alone(narrow)
    return Value(narrow, np.asarray(value.wide[position]), value.off, value.loss, value.digits)


def _chosen(goes_on: Any, after: Value | None, before: Value | None) -> Value | None:
    """Return a state after a round: of a mapped loop, that of the examples that go on.

    The loop of a mapped function goes on until all examples are done.
    """
    if not np.ndim(goes_on) or after is None or before is None:
        return after
    if not isinstance(after.narrow, np.ndarray):
        return None  # keys
    mask = np.reshape(goes_on, (*np.shape(goes_on), *[1] * (after.narrow.ndim - np.ndim(goes_on))))
    narrow = np.where(mask, after.narrow, before.narrow)
    if after.is_same and before.is_same:
        return alone(narrow)
    worst = max(after, before, key=lambda value: value.off)
    wide = np.where(mask, after.wide, before.wide)
    return Value(narrow, wide, worst.off, worst.loss, after.digits or before.digits)
