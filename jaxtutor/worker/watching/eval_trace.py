"""Evaluates the learner's programs equation by equation and records suspicious values.

Eager operations are inspected as they run. A compiled program is evaluated once more, before it
runs. Each record is a fact with a location; `core` decides whether it is a mistake.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from types import FunctionType, MappingProxyType, MethodType
from typing import Any

import jax
import numpy as np

from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.internals import evaluation, places, tracers
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.watching.index_watch import IndexWatch
from jaxtutor.worker.watching.key_uses import draws_in_loops
from jaxtutor.worker.watching.non_finite import NonFiniteOrigins, Origin, is_finite
from jaxtutor.worker.watching.normalised_axes import NormalisedAxes

OPTIONS: Any = jax.config  # jax does not annotate its options

Note = Callable[..., None]

MOST_EQUATIONS = 20_000
MOST_SECONDS = 2.0  # of processor time, so that the load on the machine does not change the result
LEAST_ROUNDS = 12  # of a loop's body that are evaluated, however long the body is
MOST_LOOPED = 2_400  # equations in the further rounds of a loop
MOST_SCANNED = 1_000
MOST_REPEATED = 200  # times that single operations of one expression are inspected
MOST_KNOWN = 500  # single operations in a row, none of them new, after which a loop is left alone
MOST_PROGRAMS = 1_000  # that are known as evaluated; a program beyond them may be evaluated again
MOST_OF_JAX = 6  # programs of JAX's own functions at one place, for other shapes each time
OFTEN = 16  # programs of JAX's own functions at one place that are reported
MOST_BYTES = 256 << 20  # of a program's values, which are all kept in memory meanwhile
MOST_ELEMENTS = 2_000_000
UNROLLED = 60  # equations of one expression in one program
LARGE_BYTES = 16_000_000  # less is usual for pairs of a few hundred points, and harmless
LARGE_RATIO = 32
NEAR = 16  # spacings of a dtype within which two numbers count as nearly equal
LOST = 10
"""How often a number must be added to a sum without changing it before that is recorded."""

_ROUNDING = ("eq", "ne")
_SUMMING = frozenset(
    "mul add sub square integer_pow reduce_sum cumsum dot_general convert_element_type".split()
)
_Exact = Callable[[Mapping[str, Any], Sequence[Any]], Any]


def _along_axes(function: Callable[..., Any]) -> _Exact:
    return lambda params, ins: function(ins[0], axis=tuple(params["axes"]))


def _running(function: Callable[..., Any]) -> _Exact:
    def run(params: Mapping[str, Any], ins: Sequence[Any]) -> Any:
        axis = params["axis"]
        array = np.flip(ins[0], axis) if params["reverse"] else ins[0]
        made = function(array, axis=axis)
        return np.flip(made, axis) if params["reverse"] else made

    return run


_ARITHMETIC: dict[str, _Exact] = {
    "add": lambda _, ins: np.add(*ins),
    "sub": lambda _, ins: np.subtract(*ins),
    "mul": lambda _, ins: np.multiply(*ins),
    "reduce_sum": _along_axes(np.sum),
    "reduce_prod": _along_axes(np.prod),
    "cumsum": _running(np.cumsum),
    "cumprod": _running(np.cumprod),
}
"""The integer operations that may wrap, as functions of their parameters and exact operands."""


class EvaluationTrace:
    """Inspects evaluations as they happen, from `start` on."""

    def __init__(
        self, is_own: IsOwn, note: Note, on_program: Callable[[Any, Any], None] | None = None
    ) -> None:
        self.is_own = is_own
        self.note = note
        self.on_program = on_program
        self.busy = False
        self._seen: Counter[tuple[int, int]] = Counter()
        self._programs_at: Counter[tuple[int, int]] = Counter()
        self._indices = IndexWatch(self._look_at_lookup, _inner, self._is_own_program)
        self._watch_single: Callable[[bool], None] = lambda _: None
        self._is_paused = False
        self._programs: dict[int, Any] = {}  # evaluated ones by id, held so that no id is reused
        # By place: the largest number that was added, and how often the sum stayed the same.
        self._sums: dict[Frame, tuple[float, int]] = {}
        self._origins = NonFiniteOrigins()
        self._is_following = False
        self._known = 0  # single operations in a row of which enough were inspected
        self.library = ""  # the library's function that the inspected operation came from
        self.left = MOST_EQUATIONS
        self.spent = 0.0
        self.until = 0.0

    def start(self) -> Callable[[], None]:
        """Start inspecting. Return a function that stops it."""
        watch_single, stop_compiled = evaluation.watch_evaluation(self._evaluate)
        stop_following = evaluation.see_every_call(lambda: self._indices.is_following)

        def stop() -> None:
            watch_single(False)
            stop_compiled()
            stop_following()

        self._watch_single = watch_single
        return stop

    def _evaluate(
        self, original: Callable[[], Any], primitive: Any, args: Sequence[Any], params: Any
    ) -> Any:
        inner = _inner(primitive.name, params)
        if inner is not None and not self.busy:
            if self._follow(inner, args) or self._is_evaluated(inner.jaxpr):
                return original()
            if self.on_program is not None:
                self._report_program(inner, args)
        checks_keys = OPTIONS.jax_debug_key_reuse  # evaluating twice would use each key twice
        if self.left <= 0 or self.spent > MOST_SECONDS:
            self._watch_single(False)  # a hot loop of single operations is not slowed down
            return original()
        if self._is_paused and not self.busy:
            self._pause(False)  # something was compiled: the program has reached other code
        if self.busy or checks_keys:
            return original()
        if inner is None and primitive.name in ("scan", "while"):
            inner = _as_program(primitive, args, params)
        if inner is not None and self._is_worth_a_look(inner.jaxpr):
            return self._evaluate_program(original, inner, args, params.get("name", ""))
        self.busy = True  # JAX compiles single operations too; those are not programs
        try:
            answer = original()
        finally:
            self.busy = False
        if self._is_due():
            self._known = 0
            self._look_at_eager(primitive, args, params, answer)
        else:
            self._known += 1
            if self._known >= MOST_KNOWN:
                self._pause(True)
        return answer

    def _pause(self, is_paused: bool) -> None:
        """Stop or resume the inspection of single operations."""
        self._is_paused, self._known = is_paused, 0
        self._watch_single(not is_paused)

    def _follow(self, inner: Any, args: Any) -> bool:
        """Look at the indices of a call; return whether the program was evaluated before."""
        self.busy = True
        try:
            with evaluation.evaluating():
                return self._indices.take(inner, args)
        except Exception:  # this extra evaluation must never change what the learner sees
            return False
        finally:
            self.busy = False

    def _look_at_lookup(self, equation: Any, around: Any, ins: list[Any]) -> None:
        if equation.primitive.name in _ROUNDING:
            self._look_at_equality(ins, places.current_place(self.is_own)[0], again="yes")
            return
        place = places.place_of(around, self.is_own)
        if place is None:
            return
        self.library = places.library_call(around.source_info)
        if equation.primitive.name == "gather":
            self._look_at_gather(equation.params, ins, place)
        else:
            self._look_at_slice(equation.primitive.name, equation.params, ins, place)

    def _is_due(self) -> bool:
        """Return whether to look at a single operation: not when its line ran many times."""
        site = places.calling_site(self.is_own)
        self._seen[site] += 1
        return self._seen[site] <= MOST_REPEATED

    def _is_worth_a_look(self, jaxpr: Any) -> bool:
        """Return False for JAX's random numbers, and for what JAX often compiles at one place."""
        if self._is_own_program(jaxpr):
            return True
        site = places.calling_site(self.is_own)
        return self._programs_at[site] <= MOST_OF_JAX and not tracers.draws_numbers(jaxpr)

    def _is_evaluated(self, jaxpr: Any) -> bool:
        """Return whether a program was evaluated before: JAX calls some from Python each time."""
        if id(jaxpr) in self._programs:
            return True
        if len(self._programs) < MOST_PROGRAMS:
            self._programs[id(jaxpr)] = jaxpr
        return False

    def _report_program(self, inner: Any, args: Any) -> None:
        self.busy = True
        try:
            if not self._is_own_program(inner.jaxpr):
                self._count_program()
            if self.on_program is not None:
                self.on_program(inner, list(args))
        except Exception:  # this must never change what the learner sees
            self.on_program = None
        finally:
            self.busy = False

    def _count_program(self) -> None:
        """Record that one of JAX's functions was compiled again and again at one place."""
        site = places.calling_site(self.is_own)
        self._programs_at[site] += 1
        if self._programs_at[site] == OFTEN:
            where, _ = places.current_place(self.is_own)
            if where is not None:
                self.note("compiled_again", where, times=str(OFTEN))

    def _evaluate_program(
        self, original: Callable[[], Any], inner: Any, args: Any, name: str
    ) -> Any:
        self.busy = True
        started = time.process_time()
        self.until = started + MOST_SECONDS - self.spent
        outs: Sequence[Any] = ()
        try:
            with evaluation.evaluating():
                outs = self._look_into(inner, args, name)
        except Exception:  # this extra evaluation must never change what the learner sees
            self.left -= MOST_EQUATIONS // 4
        self.spent += time.process_time() - started
        try:
            answer = original()
            self._origins.copy_to(outs, answer if isinstance(answer, list | tuple) else [answer])
            return answer
        finally:
            self.busy = False

    # ------------------------------------------------------------ eager operations

    def _look_at_eager(self, primitive: Any, args: Sequence[Any], params: Any, answer: Any) -> None:
        self.busy = True
        started = time.process_time()
        try:
            place, is_backward = places.current_place(self.is_own)
            is_integer = primitive.name in _ARITHMETIC and jax.typeof(answer).dtype.kind in "iu"
            if is_integer and places.is_librarys_now(self.is_own):
                place = None
            if place is not None:
                outs = answer if primitive.multiple_results else [answer]
                self.library = places.calling_library(self.is_own)
                self._origins.follow(primitive.name, args, outs, place, is_backward)
                self._look(primitive.name, params, list(args), list(outs), place, is_backward)
        except Exception:  # as above
            self.left -= MOST_EQUATIONS // 4
        finally:
            self.busy = False
            self.spent += time.process_time() - started

    # ------------------------------------------------------------ gradients

    def look_at_answer(
        self,
        made: Any,
        function: Any,
        argnums: Any,
        args: Any,
        kwargs: Any,
        place: Frame | None,
        gradient: Any,
    ) -> None:
        """Inspect a gradient.

        If it contains a NaN, it is evaluated again, equation by equation. If it is zero
        everywhere, the function's program is searched for the operation that blocks it.
        """
        inputs, outputs = jax.tree.leaves((args, kwargs)), jax.tree.leaves(gradient)
        if self.busy:
            return
        if any(tracers.is_tracer(x) for x in (*inputs, *outputs)):
            self._look_at_traced_gradient(function, argnums, args, kwargs, outputs)
            return
        if _has_nan(outputs) and not _has_nan(inputs):
            self.look_at_gradient(made, args, kwargs, place)
            return
        self.busy = True
        try:
            if _is_zero(gradient):
                self.look_for_blocks(function, args, kwargs, _positions(args, argnums))
        except Exception:  # as above
            self.left -= MOST_EQUATIONS // 4
        finally:
            self.busy = False

    def _look_at_traced_gradient(
        self, function: Any, argnums: Any, args: Any, kwargs: Any, leaves: list[Any]
    ) -> None:
        """Search for what blocks a gradient that is traced, if it is zero whatever the inputs."""
        if not leaves or not all(map(tracers.is_constant_zero, leaves)):
            return
        self.busy = True
        try:
            self.look_for_blocks(function, args, kwargs, _positions(args, argnums))
        except Exception:  # as above
            self.left -= MOST_EQUATIONS // 4
        finally:
            self.busy = False

    def look_at_gradient(
        self,
        made: Any,
        args: Sequence[Any],
        kwargs: Mapping[str, Any] | None = None,
        place: Frame | None = None,
    ) -> None:
        """Evaluate a gradient equation by equation, to find where its first NaN comes from."""
        self.busy = True
        try:
            self.until = time.process_time() + MOST_SECONDS
            closed = jax.make_jaxpr(made)(*args, **(kwargs or {}))
            inputs = jax.tree.leaves((args, kwargs or {}))
            self._walk(closed.jaxpr, closed.consts, inputs, place)
        except Exception:  # as above
            self.left -= MOST_EQUATIONS // 4
        finally:
            self.busy = False

    def look_for_blocks(
        self,
        function: Any,
        args: Sequence[Any],
        kwargs: Mapping[str, Any] = MappingProxyType({}),
        positions: set[int] | None = None,
    ) -> None:
        """Search a function's program for an operation that blocks the gradient of its inputs.

        `positions` are the flat inputs to differentiate with respect to (default: all).
        """
        try:
            if positions is None:
                jaxpr = jax.make_jaxpr(function)(*args, **kwargs).jaxpr
            else:  # the other arguments need not be arrays
                closed, chosen = _of_positions(function, args, kwargs, positions)
                jaxpr = jax.make_jaxpr(closed)(*chosen).jaxpr
            is_first = positions is None or 0 in positions
            self._find_blocked(jaxpr, set(range(len(jaxpr.invars))), is_first)
        except Exception:  # as above
            self.left -= MOST_EQUATIONS // 4

    def _find_blocked(self, jaxpr: Any, positions: set[int], is_first: bool) -> None:
        """Record the first equation that blocks the gradient, if no gradient reaches the result.

        `stop_gradient` counts only for the first argument, which holds the parameters: a gradient
        of another one that it blocks was blocked on purpose.
        """
        live = {v for n, v in enumerate(jaxpr.invars) if n in positions}
        blocked: dict[Any, tuple[Frame | None, str]] = {}
        for equation in jaxpr.eqns:
            reads = [v for v in equation.invars if not hasattr(v, "val")]
            if not any(v in live or v in blocked for v in reads):
                continue
            passes = any(v in live for v in reads) and not _lets_nothing_through(equation)
            place = places.place_of(equation, self.is_own)
            inherited = next((blocked[v] for v in reads if v in blocked), None)
            for out in equation.outvars:
                if passes:
                    live.add(out)
                else:
                    blocked[out] = inherited or (place, equation.primitive.name)
        outs = [v for v in jaxpr.outvars[:1] if not hasattr(v, "val")]  # what follows is auxiliary
        if outs and outs[0] not in live and outs[0] in blocked:
            where, name = blocked[outs[0]]
            if where is not None and (is_first or name != "stop_gradient"):
                self.note("zero_gradient", where, primitive=name)

    # ------------------------------------------------------------ compiled programs

    def _look_into(self, closed: Any, args: Sequence[Any], name: str) -> Sequence[Any]:
        """Inspect a program and return its results; none if they are too large to keep."""
        place, _ = places.current_place(self.is_own)
        self.library = places.calling_library(self.is_own)
        if self._is_own_program(closed.jaxpr):
            self.look_at_program(closed.jaxpr)
        if name == "_one_hot" and place is not None:
            self._look_at_one_hot(closed, list(args), place)
        for draw in draws_in_loops(closed.jaxpr):
            where = places.place_of(draw, self.is_own)
            if where is not None:
                self.note("key_in_loop", where)
        made = (v.aval for equation in closed.jaxpr.eqns for v in equation.outvars)
        if sum(_size(aval) * _width(aval) for aval in made) > MOST_BYTES:
            return ()
        outs = self._walk(closed.jaxpr, closed.consts, list(args), place)
        return outs if all(map(is_finite, outs)) else self._follow_back(closed, args, place)

    def _follow_back(self, closed: Any, args: Sequence[Any], place: Frame | None) -> Sequence[Any]:
        """Evaluate a program again, and record where a NaN in its results comes from."""
        self._is_following = True
        try:
            outs = self._walk(closed.jaxpr, closed.consts, list(args), place)
        finally:
            self._is_following = False
        for out in outs:
            origin = self._origins.of(out)
            if origin is not None and _has_nan([out]):
                self._note_origin(origin)
        return outs

    def note_printed(self, values: Sequence[object]) -> None:
        """Record where printed values come from that are not finite."""
        with suppress(Exception):  # as above
            for origin in self._origins.shown(values):
                self._note_origin(origin)

    def _note_origin(self, origin: Origin) -> None:
        if origin.place is not None and not origin.is_backward:
            self.note("not_finite", origin.place, detail=origin.detail)

    def _is_own_program(self, jaxpr: Any) -> bool:
        where = tracers.program_place(jaxpr)
        return where is not None and self.is_own(where[1])

    def _walk(
        self,
        jaxpr: Any,
        consts: Sequence[Any],
        args: Sequence[Any],
        outer: Frame | None,
        is_backward: bool = False,
    ) -> list[Any]:
        """Evaluate a jaxpr and inspect each equation."""
        values: dict[Any, Any] = dict(zip(jaxpr.constvars, consts, strict=True))
        values.update(zip(jaxpr.invars, args, strict=True))
        is_own = self._is_own_program(jaxpr) or outer is None

        def read(atom: Any) -> Any:
            return atom.val if hasattr(atom, "val") else values[atom]

        for equation in jaxpr.eqns:
            self.left -= 1
            if self.left <= 0 or time.process_time() > self.until:
                raise TimeoutError
            place = (places.place_of(equation, self.is_own) if is_own else None) or outer
            ins = [read(atom) for atom in equation.invars]
            if is_own:
                self.library = places.library_call(equation.source_info)
            back = is_backward or "transpose" in str(equation.source_info.name_stack)
            made = self._origins.count
            outs = self._step(equation, ins, place, back)
            is_looked_at = _inner(equation.primitive.name, equation.params) is None
            if place is not None and is_looked_at and not self._may_wrap(equation):
                self._look(equation.primitive.name, equation.params, ins, outs, place, back)
            if self._is_following:
                self._origins.follow(equation.primitive.name, ins, outs, place, back, made)
            values.update(zip(equation.outvars, outs, strict=True))
        return [read(atom) for atom in jaxpr.outvars]

    def _may_wrap(self, equation: Any) -> bool:
        """Return whether an equation is a library's integer arithmetic: a sampler shuffles bits."""
        if equation.primitive.name not in _ARITHMETIC:
            return False
        is_integer = all(v.aval.dtype.kind in "iu" for v in equation.outvars)
        return is_integer and places.is_librarys(equation.source_info, self.is_own)

    def _step(
        self, equation: Any, ins: list[Any], place: Frame | None, is_backward: bool
    ) -> list[Any]:
        name, params = equation.primitive.name, equation.params
        inner = _inner(name, params)
        if params.get("name") == "_one_hot" and place is not None:
            self._look_at_one_hot(inner, ins, place)
        if inner is not None and not tracers.draws_numbers(inner.jaxpr):
            return self._walk(inner.jaxpr, inner.consts, ins, place, is_backward)
        if name == "cond":
            branches = params["branches"]
            chosen = branches[int(np.clip(np.asarray(ins[0]), 0, len(branches) - 1))]
            return self._walk(chosen.jaxpr, chosen.consts, ins[1:], place)
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
            answer = self._walk(jaxpr, body.consts, [*ins[:fixed], *carry, *xs], place)
            carry = answer[:carries]

    def _walk_while(self, params: Any, ins: list[Any], place: Frame | None) -> list[Any]:
        before, body = params["cond_nconsts"], params["body_nconsts"]
        of_cond, of_body = ins[:before], ins[before : before + body]
        state = ins[before + body :]
        test, step = params["cond_jaxpr"], params["body_jaxpr"]
        for _ in range(_most_rounds(step.jaxpr)):
            if not bool(self._walk(test.jaxpr, test.consts, [*of_cond, *state], place)[0]):
                return state
            state = self._walk(step.jaxpr, step.consts, [*of_body, *state], place)
        raise NotImplementedError  # the number of iterations is not known

    # ------------------------------------------------------------ whole programs

    def look_at_program(self, jaxpr: Any, least: int = UNROLLED) -> None:
        """Inspect the program as a whole: its length and its largest value.

        If one expression makes `least` equations or more, its Python loop counts as unrolled.
        """
        made_at = [places.place_of(e, self.is_own) for e in jaxpr.eqns]
        counts = Counter(p for p in made_at if p is not None)
        for place, count in counts.items():
            if count >= least:
                self.note("unrolled", place, times=str(count))
        with suppress(Exception):  # as above
            NormalisedAxes(_inner, self._note_softmax).read(jaxpr)
        outer = sum(_size(v.aval) for v in (*jaxpr.invars, *jaxpr.outvars, *jaxpr.constvars))
        for equation, where in zip(jaxpr.eqns, made_at, strict=True):
            aval = max((v.aval for v in equation.outvars), key=_size, default=None)
            size = _size(aval)
            is_large = size * _width(aval) >= LARGE_BYTES and size >= LARGE_RATIO * max(outer, 1)
            if where is not None and is_large:
                self.note("large", where, aval=str(aval))
                return

    def _note_softmax(self, equation: Any, form: str) -> None:
        place = places.place_of(equation, self.is_own)
        if place is not None:
            self.note("softmax_axis", place, form=form)

    # ------------------------------------------------------------ single equations

    def _look(
        self,
        name: str,
        params: Any,
        ins: list[Any],
        outs: list[Any],
        place: Frame,
        is_backward: bool,
    ) -> None:
        if any(_size(jax.typeof(x)) > MOST_ELEMENTS for x in (*ins, *outs)):
            return
        is_half = name in _SUMMING and jax.typeof(outs[0]).dtype == np.float16
        if is_half and not is_finite(outs[0]) and all(map(is_finite, ins)):
            self.note("half_overflow", place)
        if is_backward:
            self._look_at_gradient(name, ins, outs, place)
        elif name == "gather":
            self._look_at_gather(params, ins, place)
        elif name in ("dynamic_slice", "dynamic_update_slice"):
            self._look_at_slice(name, params, ins, place)
        elif name == "scatter":
            self._look_at_scatter(ins, place)
        elif name == "scatter-add":
            self._look_at_segments(params, ins, place)
        elif name in _ROUNDING:
            self._look_at_equality(ins, place)
        elif name == "convert_element_type":
            self._look_at_conversion(ins, outs, place)
        elif name in _ARITHMETIC:
            self._look_at_integers(name, params, ins, outs, place)
            if name == "add":
                self._look_at_sum(ins, outs, place)

    def _look_at_gradient(self, name: str, ins: list[Any], outs: list[Any], place: Frame) -> None:
        if _has_nan(outs) and not _has_nan(ins):
            self.note("nan_gradient", place, primitive=name)
        elif _has_infinity(outs) and not _has_infinity(ins):
            self.note("inf_gradient", place, primitive=name)

    def _look_at_gather(self, params: Any, ins: list[Any], place: Frame) -> None:
        shape, indices = np.shape(ins[0]), np.asarray(ins[1])
        for column, axis in enumerate(params["dimension_numbers"].start_index_map):
            starts = indices[..., column]
            last = shape[axis] - params["slice_sizes"][axis]
            if starts.size and (starts.max() > last or starts.min() < 0):
                worst = int(starts.max() if starts.max() > last else starts.min())
                facts = {"index": str(worst), "size": str(shape[axis])}
                self.note("out_of_bounds", place, **facts, library=self.library)

    def _look_at_one_hot(self, inner: Any, ins: list[Any], place: Frame) -> None:
        """Record labels that are not below the number of classes: their rows are all zeros."""
        labels = np.asarray(ins[0])
        if labels.dtype.kind not in "iu" or not labels.size or len(inner.jaxpr.outvars) != 1:
            return
        sizes = set(inner.jaxpr.outvars[0].aval.shape) - set(labels.shape)
        size, largest = max(sizes, default=0), int(labels.max())
        if len(sizes) != 1 or not 0 <= labels.min() < size <= largest:
            return
        first = "1" if labels.min() == 1 and largest == size else "0"
        facts = {"index": str(largest), "size": str(size), "lowest": first}
        self.note("out_of_bounds", place, **facts, library="one_hot")

    def _look_at_slice(self, name: str, params: Any, ins: list[Any], place: Frame) -> None:
        updates = name == "dynamic_update_slice"
        shape = np.shape(ins[0])
        sizes = np.shape(ins[1]) if updates else params["slice_sizes"]
        starts = ins[2 if updates else 1 :][: len(shape)]
        for extent, size, start in zip(shape, sizes, starts, strict=True):
            if not 0 <= int(np.asarray(start)) <= extent - size:
                self.note("slice_moved", place, index=str(int(np.asarray(start))))

    def _look_at_scatter(self, ins: list[Any], place: Frame) -> None:
        indices = np.asarray(ins[1])
        rows = indices.reshape(-1, indices.shape[-1]) if indices.ndim else indices.reshape(1, 1)
        if len(rows) > 1 and len(np.unique(rows, axis=0)) < len(rows):
            self.note("same_index_twice", place)

    def _look_at_segments(self, params: Any, ins: list[Any], place: Frame) -> None:
        """Record sums by numbers from 1 to n into n places: the last number is dropped."""
        indices, numbers = np.asarray(ins[1]), params["dimension_numbers"]
        axes = numbers.scatter_dims_to_operand_dims
        size = np.shape(ins[0])[axes[0]] if len(axes) == 1 else 0
        found = np.unique(indices)
        if size > 1 and len(found) == size and (found[0], found[-1]) == (1, size):
            self.note("out_of_bounds", place, index=str(size), size=str(size), library="segments")

    def _look_at_conversion(self, ins: list[Any], outs: list[Any], place: Frame) -> None:
        """Record fractions that a conversion to integers cuts off."""
        kinds = [jax.typeof(x).dtype for x in (ins[0], outs[0])]
        if all(isinstance(k, np.dtype) for k in kinds) and [k.kind for k in kinds] == ["f", "i"]:
            array = np.asarray(ins[0])
            if bool(np.any(array != np.trunc(array))):
                self.note("fraction_cut", place)

    def _look_at_equality(self, ins: list[Any], place: Frame | None, **facts: str) -> None:
        kind = jax.typeof(ins[0]).dtype
        if kind.kind != "f" or place is None:
            return
        a, b = (np.asarray(x).astype(kind) for x in ins)
        spacing = np.finfo(a.dtype).eps * np.maximum(np.abs(a), np.abs(b))
        apart = np.abs(a - b)
        if bool(np.any((apart > 0) & (apart <= NEAR * spacing))):
            self.note("nearly_equal", place, **facts)

    def _look_at_integers(
        self, name: str, params: Any, ins: list[Any], outs: list[Any], place: Frame
    ) -> None:
        arrays = [np.asarray(x) for x in ins]
        a = arrays[0]
        if a.dtype.kind not in "iu" or a.dtype.itemsize > 4 or a.dtype == np.uint32:
            return  # hashes and generators of random numbers count modulo 2**32
        right = _ARITHMETIC[name](params, [x.astype(np.int64) for x in arrays])
        if bool(np.any(right != np.asarray(outs[0]).astype(np.int64))):
            self.note("wrapped", place, aval=str(jax.typeof(outs[0])))

    def _look_at_sum(self, ins: list[Any], outs: list[Any], place: Frame) -> None:
        """Record a sum that stays the same each time, though what is added does not get smaller."""
        if _size(jax.typeof(outs[0])) != 1 or jax.typeof(outs[0]).dtype.kind != "f":
            return
        numbers = (float(np.asarray(x).item()) for x in (*outs, *ins))
        total, *addends = sorted(numbers, key=abs, reverse=True)
        small = abs(addends[-1])
        if not np.isfinite(total) or not small:
            return
        largest, lost = self._sums.get(place, (0.0, 0))
        largest = max(largest, small)
        is_lost = abs(addends[0]) == abs(total) and small >= largest / 2
        self._sums[place] = largest, lost + is_lost
        if lost + is_lost == LOST:
            self.note("sum_stays", place, aval=str(jax.typeof(outs[0]).dtype))


def unused_copy(function: Any) -> Any:
    """Return a function that can be called again, though its object may consume what it holds.

    That of `nnx.grad` takes the parts of the model from a queue when it is called.
    """
    held = getattr(function, "__dict__", None)
    if isinstance(function, FunctionType | MethodType) or not isinstance(held, dict):
        return function
    queues = {name: value for name, value in held.items() if isinstance(value, deque)}
    if not queues:
        return function
    twin = copy(function)
    for name, value in queues.items():
        object.__setattr__(twin, name, value.copy())
    return twin


def _positions(args: Any, argnums: Any) -> set[int]:
    """Return the flat positions of the arguments to differentiate with respect to."""
    wanted = {argnums} if isinstance(argnums, int) else set(argnums)
    wanted = {n % len(args) for n in wanted}
    owners = [n for n, arg in enumerate(args) for _ in jax.tree.leaves(arg)]
    return {position for position, owner in enumerate(owners) if owner in wanted}


def _of_positions(
    function: Any, args: Any, kwargs: Mapping[str, Any], positions: set[int]
) -> tuple[Callable[..., Any], list[Any]]:
    """Return a function of the leaves at some positions, the others fixed, and these leaves."""
    leaves, tree = jax.tree.flatten(tuple(args))
    order = sorted(positions)

    def closed(*chosen: Any) -> Any:
        filled = list(leaves)
        for position, leaf in zip(order, chosen, strict=True):
            filled[position] = leaf
        return function(*jax.tree.unflatten(tree, filled), **kwargs)

    return closed, [leaves[position] for position in order]


_BLOCKING = frozenset(
    "eq ne lt le gt ge argmax argmin round floor ceil sign is_finite not and or xor"
    " shift_left shift_right_logical stop_gradient".split()
)


def _lets_nothing_through(equation: Any) -> bool:
    """Return True if the gradient of an equation is zero everywhere."""
    name = equation.primitive.name
    if name.startswith("custom_"):
        return False  # it has a rule of its own
    inner = _inner(name, equation.params)
    if inner is not None:
        return any(_lets_nothing_through(e) for e in inner.jaxpr.eqns) and not _has_live_path(inner)
    kinds = [getattr(v.aval, "dtype", np.dtype("f4")).kind for v in equation.outvars]
    return name in _BLOCKING or (bool(kinds) and all(kind in "iub" for kind in kinds))


def _has_live_path(closed: Any) -> bool:
    live = set(closed.jaxpr.invars)
    for equation in closed.jaxpr.eqns:
        reads = [v for v in equation.invars if not hasattr(v, "val")]
        if any(v in live for v in reads) and not _lets_nothing_through(equation):
            live.update(equation.outvars)
    return any(v in live for v in closed.jaxpr.outvars if not hasattr(v, "val"))


def _is_zero(gradient: Any) -> bool:
    """Return True if a gradient is all zeros."""
    floats = list(_floats(jax.tree.leaves(gradient)))
    return bool(floats) and not any(array.any() for array in floats)


def _as_program(primitive: Any, args: Sequence[Any], params: Any) -> Any | None:
    """Return the program that consists of one loop."""
    try:
        return jax.make_jaxpr(lambda *given: primitive.bind(*given, **params))(*args)
    except Exception:  # a loop that cannot be bound again runs without being inspected
        return None


def _inner(name: str, params: Any) -> Any | None:
    """Return the program that an equation calls exactly once, if there is one."""
    if name in ("jit", "pjit", "closed_call", "core_closed_call"):
        return params.get("jaxpr") or params.get("call_jaxpr")
    if name in ("custom_jvp_call", "custom_vjp_call", "custom_vjp_call_jaxpr"):
        return params.get("call_jaxpr") or params.get("fun_jaxpr")
    if name in ("remat2", "checkpoint", "remat"):
        return _Closed(params["jaxpr"])
    return None


class _Closed:
    """An open jaxpr with the attributes of a closed one."""

    def __init__(self, jaxpr: Any) -> None:
        self.jaxpr = getattr(jaxpr, "jaxpr", jaxpr)
        self.consts = getattr(jaxpr, "consts", ())


def _most_rounds(jaxpr: Any) -> int:
    """Return how many rounds of a loop are evaluated: all of a short body's."""
    return max(LEAST_ROUNDS, MOST_LOOPED // max(1, len(jaxpr.eqns)))


def _size(aval: Any) -> int:
    return int(np.prod(getattr(aval, "shape", ()), dtype=np.int64))


def _width(aval: Any) -> int:
    return int(getattr(getattr(aval, "dtype", None), "itemsize", 4))


def _floats(values: Sequence[Any]) -> Iterator[np.ndarray[Any, Any]]:
    for value in values:
        if np.issubdtype(getattr(value, "dtype", np.int32), np.floating):
            yield np.asarray(value)


def _has_nan(values: Sequence[Any]) -> bool:
    return any(bool(np.isnan(array).any()) for array in _floats(values))


def _has_infinity(values: Sequence[Any]) -> bool:
    return any(bool(np.isinf(array).any()) for array in _floats(values))
