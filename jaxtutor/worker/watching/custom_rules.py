"""Finds rules of `custom_vjp` and `custom_jvp` that leave out the gradient of an argument.

A rule may do so on purpose. So the function and its rule are evaluated at a few random values: the
function has to depend on the argument, and the rule has to be the derivative in every other one.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from types import FrameType
from typing import Any

import jax
import numpy as np
from msgspec import Struct

from jaxtutor.core.data.observations import GradientLeftOut
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker import positions
from jaxtutor.worker.internals import evaluation, tracers
from jaxtutor.worker.internals.jaxpr_types import ClosedJaxpr, jaxpr_as_fun
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.watching.gradient_flow import LIVE, Flow, flow
from jaxtutor.worker.watching.gradients import flat_positions, of_leaves
from jaxtutor.worker.watching.operations import Note
from jaxtutor.worker.watching.replacements import Replacements
from jaxtutor.worker.watching.subprograms import (
    called_program,
    carried_count,
    count_elements,
    shared_by_rounds,
)

MOST_CALLS = 2  # of one function that takes a gradient, at one place
MOST_RULES = 16  # that are evaluated
MOST_ELEMENTS = 1_000_000  # of the values at which something is evaluated
DRAWS = 2  # of values for each rule
STEP = 1e-2  # of the difference quotient
TOLERANCE = 0.05  # by which a rule and a difference quotient may differ
LEAST = 1e-2  # of a change that counts as one, relative to the result


class RuleUse(Struct, frozen=True):
    """An equation that has a rule of its own, and which of its inputs are differentiated.

    `is_input` says which are inputs of the program around it, such as weights.
    """

    equation: Any
    live: tuple[bool, ...]
    is_input: tuple[bool, ...]


class CustomRules:
    """Looks at the rules that the learner wrote, where a gradient is taken."""

    def __init__(self, is_own: IsOwn, note: Note) -> None:
        self._is_own = is_own
        self._note = note
        self._has_rules = False
        self._calls: Counter[tuple[int, int]] = Counter()
        self._left = MOST_RULES
        self._found: set[tuple[str, str, int]] = set()

    def start(self, replacements: Replacements) -> None:
        """Start to watch for rules of the learner's: without them there is nothing to look at."""
        replacements.replace(jax.custom_vjp, "defvjp", self._defining)
        for name in ("defjvp", "defjvps"):
            replacements.replace(jax.custom_jvp, name, self._defining)

    def _defining(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(original)
        def define(*args: Any, **options: Any) -> Any:
            self._has_rules |= self._is_own(sys._getframe(1).f_code.co_filename)
            return original(*args, **options)

        return define

    def is_due(self, caller: FrameType) -> bool:
        """Return whether to look at the function of which a gradient is taken in a frame."""
        if not self._has_rules or self._left <= 0:
            return False
        place = (id(caller.f_code), caller.f_lasti)
        self._calls[place] += 1
        return self._calls[place] <= MOST_CALLS

    def look(
        self, function: Any, argnums: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> None:
        """Record the rules that leave out a gradient. This may raise anything."""
        chosen = flat_positions(args, argnums)
        closed, leaves = of_leaves(function, args, kwargs, chosen)
        program = jax.make_jaxpr(closed)(*leaves)
        every = jax.tree_util.tree_flatten_with_path(tuple(args))[0]
        paths = [jax.tree_util.keystr(p[1:]) for n, (p, _) in enumerate(every) if n in chosen]
        live: list[Flow] = [LIVE] * len(leaves)
        for use in uses(program.jaxpr, live):
            if self._left > 0 and any(use.live):
                self._look_at_rule(use, program, paths)

    def _look_at_rule(self, use: RuleUse, program: Any, paths: Sequence[str]) -> None:
        rule = _rule_of(use.equation)
        names = list(map(_root, _argument_names(use.equation)))
        if rule is None or not names or not self._is_own(rule[1]) or rule in self._found:
            return
        self._left -= 1
        with evaluation.evaluating():
            left_out = next(_left_out(use), None)
            untrained = _untrained(program) if left_out is not None else []
        if left_out is None:
            return
        self._found.add(rule)
        has_cotangents = "bwd" in use.equation.params
        position = list(dict.fromkeys(names)).index(names[left_out]) if has_cotangents else None
        seen = GradientLeftOut(
            name=str(use.equation.params.get("name", "")) or _name_of(use.equation),
            argument=names[left_out],
            position=position,
            is_computed=not use.is_input[left_out],
            weights=next((p for n, p in enumerate(paths) if n in untrained), ""),
        )
        self._note(seen, Frame(rule[1], rule[0], positions.whole_line(rule[1], rule[2])))


def uses(jaxpr: Any, given: Sequence[Flow]) -> Iterator[RuleUse]:
    """Yield the equations of a program, and of those that it calls, that have a rule."""
    known = flow(jaxpr, given, lambda _: None)
    inputs = set(map(id, jaxpr.invars))
    for equation in jaxpr.eqns:
        reads = [None if hasattr(v, "val") else known.get(v) for v in equation.invars]
        name = equation.primitive.name
        inner = called_program(name, equation.params)
        if name.startswith(("custom_vjp", "custom_jvp")):
            given_to_it = tuple(v in inputs for v in map(id, equation.invars))
            yield RuleUse(equation, tuple(read == LIVE for read in reads), given_to_it)
        elif inner is not None and len(inner.jaxpr.invars) == len(reads):
            yield from uses(inner.jaxpr, reads)
        elif name == "scan":
            body = getattr(equation.params["jaxpr"], "jaxpr", equation.params["jaxpr"])
            shared, carried = shared_by_rounds(equation, body), carried_count(equation, body)
            for n, out in enumerate(equation.outvars[:carried]):
                reads[shared + n] = LIVE if known.get(out) == LIVE else reads[shared + n]
            yield from uses(body, reads)


def _called(equation: Any) -> Any:
    program = equation.params.get("call_jaxpr") or equation.params["fun_jaxpr"]
    return getattr(program, "jaxpr", program)


def _rule_of(equation: Any) -> tuple[str, str, int] | None:
    """Return name, file and line of the rule of an equation."""
    for name in ("bwd", "jvp_jaxpr_fun"):
        info = getattr(equation.params.get(name), "debug_info", None)
        if info is not None:
            return tracers.parse_place(info.func_src_info)
    return None


def _name_of(equation: Any) -> str:
    where = tracers.program_place(_called(equation))
    return where[0] if where is not None else ""


def _argument_names(equation: Any) -> Sequence[str]:
    """Return the paths of the inputs of an equation in the arguments of its function."""
    forward = equation.params.get("fwd_jaxpr_thunk")
    for owner in (forward, _called(equation)):
        names = getattr(getattr(owner, "debug_info", None), "arg_names", None) or ()
        if len(names) == len(equation.invars):
            return tuple(names)
    return ()


def _root(name: str) -> str:
    """Return the name of an argument from the path of one of its leaves."""
    return name.partition("[")[0].partition(".")[0]


# ---------------------------------------------------------------- at random values


def _left_out(use: RuleUse) -> Iterator[int]:
    """Yield the live inputs on which a function depends, and whose gradient its rule leaves out.

    The rule has to be the derivative for another input. One that passes a gradient straight
    through, or bounds it, is not, and is written that way on purpose.
    """
    program = _called(use.equation)
    if sum(count_elements(v.aval) for v in program.invars) > MOST_ELEMENTS:
        return
    floats = [n for n, v in enumerate(program.invars) if np.issubdtype(v.aval.dtype, np.floating)]
    draws = [_slopes(use.equation, program, floats, seed) for seed in range(DRAWS)]
    known = [slopes for slopes in draws if slopes]
    cut = {n for n in floats if known and all(s[n].is_cut for s in known) and use.live[n]}
    others = [slope for slopes in known for n, slope in slopes.items() if not slope.is_zero]
    if others and all(slope.is_right for slope in others):
        yield from sorted(cut)


class Slope(Struct, frozen=True):
    """What a rule says about one direction, beside a difference quotient; `size` is the result's.

    Both are products with the difference itself, so the measured one is its square.
    """

    claimed: float
    measured: float
    size: float
    is_zero: bool

    @property
    def is_cut(self) -> bool:
        """Whether the function changes in this direction, and the rule says that it does not."""
        return self.is_zero and self.measured > (LEAST * self.size) ** 2

    @property
    def is_right(self) -> bool:
        """Whether rule and difference quotient agree."""
        return abs(self.claimed - self.measured) <= TOLERANCE * self.measured


def _slopes(equation: Any, program: Any, inputs: Sequence[int], seed: int) -> dict[int, Slope]:
    """Return what a rule says of each input at random values; nothing if it is not a number."""
    rng = np.random.default_rng(seed)
    values = [_draw(rng, v.aval, seed) for v in program.invars]
    function, ruled = _function(program, inputs, values), _ruled(equation, program, inputs, values)
    point = [values[n] for n in inputs]
    outs, back = jax.vjp(ruled, *point)
    size = float(np.linalg.norm(_flat(outs)))
    found = {}
    for k, n in enumerate(inputs):
        way = rng.normal(size=np.shape(point[k])).astype(point[k].dtype)
        ends = [_moved(point, k, way, sign * STEP) for sign in (1, -1)]
        up, down = (function(*end) for end in ends)
        change = [(a - b) / (2 * STEP) for a, b in zip(up, down, strict=True)]
        gradient = np.asarray(back([*change])[k], np.float64)
        measured = float(np.sum(_flat(change) ** 2))
        claimed = float(np.vdot(gradient, way))
        found[n] = Slope(claimed, measured, size, not gradient.any())
    is_finite = np.isfinite([x for s in found.values() for x in (s.claimed, s.measured, s.size)])
    return found if is_finite.all() else {}


def _function(
    program: Any, inputs: Sequence[int], values: Sequence[Any]
) -> Callable[..., list[Any]]:
    """Return a program as a function of some of its inputs."""
    run = jaxpr_as_fun(ClosedJaxpr(program, ()))

    def call(*chosen: Any) -> list[Any]:
        given = list(values)
        for n, value in zip(inputs, chosen, strict=True):
            given[n] = value
        return list(run(*given))

    return call


def _ruled(
    equation: Any, program: Any, inputs: Sequence[int], values: Sequence[Any]
) -> Callable[..., list[Any]]:
    """Return the same function with the rule of its equation."""
    alone = program.replace(
        eqns=[equation.replace(invars=program.invars)], constvars=[], outvars=equation.outvars
    )
    return _function(alone, inputs, values)


def _moved(point: Sequence[Any], k: int, way: Any, step: float) -> list[Any]:
    return [x + step * way if n == k else x for n, x in enumerate(point)]


def _flat(arrays: Sequence[Any]) -> Any:
    return np.concatenate([np.ravel(np.asarray(a, np.float64)) for a in arrays])


def _draw(rng: np.random.Generator, aval: Any, seed: int) -> Any:
    """Return random numbers of a type: positive ones at first, zeros for integers."""
    if not np.issubdtype(aval.dtype, np.floating):
        return np.zeros(aval.shape, aval.dtype)
    numbers = rng.normal(size=aval.shape) if seed else rng.uniform(0.3, 1.2, size=aval.shape)
    return np.asarray(numbers, aval.dtype)


def _untrained(program: Any) -> list[int]:
    """Return the leaves whose gradient is zero at random values, if not all are.

    Values of the functions around the program may be known to a trace only, so they are drawn too.
    """
    jaxpr = program.jaxpr
    rng = np.random.default_rng(0)
    constants = [_draw(rng, jax.typeof(c), 1) for c in program.consts]
    point = [_draw(rng, v.aval, 1) for v in jaxpr.invars]
    if sum(np.size(x) for x in (*constants, *point)) > MOST_ELEMENTS:
        return []
    run = jaxpr_as_fun(ClosedJaxpr(jaxpr, constants))
    outs, back = jax.vjp(lambda *given: run(*given)[0], *point)
    is_zero = [not np.any(g) for g in back(np.ones_like(outs))]
    return [n for n, zero in enumerate(is_zero) if zero] if not all(is_zero) else []
