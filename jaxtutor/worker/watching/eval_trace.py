"""Evaluates the learner's programs equation by equation and records suspicious values.

Eager operations are inspected as they run. A compiled program is evaluated once more, before it
runs. Each record is a fact with a location; `core` decides whether it is a mistake.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from types import FunctionType, MappingProxyType
from typing import Any

import jax
import numpy as np

from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.compilation_cache import CompilationCache
from jaxtutor.worker.internals import evaluation, places, tracers
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.watching.gradients import (
    find_block,
    find_blocked_weights,
    flat_positions,
    is_zero,
)
from jaxtutor.worker.watching.half_sums import half_sums
from jaxtutor.worker.watching.index_watch import IndexWatch
from jaxtutor.worker.watching.key_uses import draws_in_loops
from jaxtutor.worker.watching.moved_axes import axes_mixed, sideways
from jaxtutor.worker.watching.non_finite import NonFiniteOrigins, Origin, has_nan, is_finite
from jaxtutor.worker.watching.normalised_axes import NormalisedAxes
from jaxtutor.worker.watching.operations import ARITHMETIC, ROUNDING, Note, OperationWatch
from jaxtutor.worker.watching.subprograms import (
    as_program,
    called_program,
    count_elements,
    element_bytes,
)

OPTIONS: Any = jax.config  # jax does not annotate its options

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
UNROLLED = 60  # equations of one expression in one program
LARGE_BYTES = 16_000_000  # less is usual for pairs of a few hundred points, and harmless
LARGE_RATIO = 32


class EvaluationTrace:
    """Inspects evaluations as they happen, from `start` on."""

    def __init__(
        self,
        is_own: IsOwn,
        note: Note,
        on_program: Callable[[Any, Any], None] | None = None,
        cache: CompilationCache | None = None,
    ) -> None:
        self.is_own = is_own
        self._cache = cache
        self.note = note
        self.on_program = on_program
        self.busy = False
        self._seen: Counter[tuple[int, int]] = Counter()
        self._programs_at: Counter[tuple[int, int]] = Counter()
        self.operations = OperationWatch(note)
        self._indices = IndexWatch(self._look_at_lookup, self._is_own_program)
        self._watch_single: Callable[[bool], None] = lambda _: None
        self._is_paused = False
        self._programs: dict[int, Any] = {}  # evaluated ones by id, held so that no id is reused
        self._origins = NonFiniteOrigins()
        self._is_following = False
        self._known = 0  # single operations in a row of which enough were inspected
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
        inner = called_program(primitive.name, params)
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
            inner = as_program(primitive, args, params)
        if inner is not None and self._is_worth_a_look(inner.jaxpr):
            return self._evaluate_program(original, inner, args, params.get("name", ""))
        self.busy = True  # JAX compiles single operations too; those are not programs
        try:
            answer = original()
        finally:
            self.busy = False
        if inner is not None and tracers.draws_numbers(inner.jaxpr):
            return answer  # nothing to look at, and a typed key has no numbers
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
        if equation.primitive.name in ROUNDING:
            self.operations.look_at_equality(ins, places.current_place(self.is_own)[0], again="yes")
            return
        place = places.place_of(around, self.is_own)
        if place is None:
            return
        self.operations.library = places.library_call(around.source_info)
        if equation.primitive.name == "gather":
            self.operations.look_at_gather(equation.params, ins, place)
        else:
            self.operations.look_at_slice(equation.primitive.name, equation.params, ins, place)

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
            with evaluation.evaluating(), self._compiling():
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

    def _compiling(self) -> AbstractContextManager[None]:
        """Return a context in which operations that were compiled in an earlier run are loaded."""
        return nullcontext() if self._cache is None else evaluation.compiling_with(self._cache)

    # ------------------------------------------------------------ eager operations

    def _look_at_eager(self, primitive: Any, args: Sequence[Any], params: Any, answer: Any) -> None:
        self.busy = True
        started = time.process_time()
        try:
            place, is_backward = places.current_place(self.is_own)
            is_integer = primitive.name in ARITHMETIC and jax.typeof(answer).dtype.kind in "iu"
            if is_integer and places.is_librarys_now(self.is_own):
                place = None
            if place is not None:
                outs = _results(answer)
                self.operations.library = places.calling_library(self.is_own)
                self._origins.follow(primitive.name, args, outs, place, is_backward)
                self.operations.look(
                    primitive.name, params, list(args), list(outs), place, is_backward
                )
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
        if has_nan(outputs) and not has_nan(inputs):
            self.look_at_gradient(made, args, kwargs, place)
            return
        self.busy = True
        try:
            positions = flat_positions(args, argnums)
            if is_zero(gradient):
                self.look_for_blocks(function, args, kwargs, positions)
            else:
                zeros = [is_zero([leaf]) for leaf in outputs]
                self._look_for_blocked_weights(function, args, kwargs, zeros, positions)
        except Exception:  # as above
            self.left -= MOST_EQUATIONS // 4
        finally:
            self.busy = False

    def _look_at_traced_gradient(
        self, function: Any, argnums: Any, args: Any, kwargs: Any, leaves: list[Any]
    ) -> None:
        """Search for what blocks a gradient that is traced, if it is zero whatever the inputs."""
        zeros = [tracers.is_constant_zero(leaf) for leaf in leaves]
        if not any(zeros):
            return
        self.busy = True
        try:
            positions = flat_positions(args, argnums)
            if all(zeros):
                self.look_for_blocks(function, args, kwargs, positions)
            else:
                self._look_for_blocked_weights(function, args, kwargs, zeros, positions)
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
        """Record the operation that blocks the gradient of some flat inputs, by default of all."""
        try:
            found = find_block(function, args, kwargs, positions, self._place_of)
        except Exception:  # as above
            self.left -= MOST_EQUATIONS // 4
            return
        if found is not None:
            self.note("zero_gradient", found[0], primitive=found[1])

    def _look_for_blocked_weights(
        self,
        function: Any,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        zeros: Sequence[bool],
        positions: set[int],
    ) -> None:
        """Record the operation that blocks the gradient of some weights."""
        if not any(zeros) or len(zeros) != len(positions):
            return
        found = find_blocked_weights(function, args, kwargs, zeros, positions, self._place_of)
        if found is None:
            return
        code = function.__code__ if isinstance(function, FunctionType) else None
        is_named = code is not None and self.is_own(code.co_filename) and code.co_argcount
        owner = code.co_varnames[0] if code is not None and is_named else ""
        weights = f"{owner}{found[2]}".removeprefix(".")
        self.note("zero_gradient", found[0], primitive=found[1], weights=weights)

    def _place_of(self, equation: Any) -> Frame | None:
        return places.place_of(equation, self.is_own)

    # ------------------------------------------------------------ compiled programs

    def _look_into(self, closed: Any, args: Sequence[Any], name: str) -> Sequence[Any]:
        """Inspect a program and return its results; none if they are too large to keep."""
        place, _ = places.current_place(self.is_own)
        self.operations.library = places.calling_library(self.is_own)
        if self._is_own_program(closed.jaxpr):
            self.look_at_program(closed.jaxpr)
        with suppress(Exception):  # as above
            self._note_axes(closed.jaxpr)
        if name == "_one_hot" and place is not None:
            self.operations.look_at_one_hot(closed, list(args), place)
        for draw in draws_in_loops(closed.jaxpr):
            where = places.place_of(draw, self.is_own)
            if where is not None:
                self.note("key_in_loop", where)
        made = (v.aval for equation in closed.jaxpr.eqns for v in equation.outvars)
        if sum(count_elements(aval) * element_bytes(aval) for aval in made) > MOST_BYTES:
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
            if origin is not None and has_nan([out]):
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
        return where is not None and (self.is_own(where[1]) or places.is_wrapper(where[1]))

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
                self.operations.library = places.library_call(equation.source_info)
            back = is_backward or "transpose" in str(equation.source_info.name_stack)
            made = self._origins.count
            outs = self._step(equation, ins, place, back)
            is_looked_at = called_program(equation.primitive.name, equation.params) is None
            if place is not None and is_looked_at and not self._may_wrap(equation):
                self.operations.look(
                    equation.primitive.name, equation.params, ins, outs, place, back
                )
            if self._is_following:
                self._origins.follow(equation.primitive.name, ins, outs, place, back, made)
            values.update(zip(equation.outvars, outs, strict=True))
        return [read(atom) for atom in jaxpr.outvars]

    def _may_wrap(self, equation: Any) -> bool:
        """Return whether an equation is a library's integer arithmetic: a sampler shuffles bits."""
        if equation.primitive.name not in ARITHMETIC:
            return False
        is_integer = all(v.aval.dtype.kind in "iu" for v in equation.outvars)
        return is_integer and places.is_librarys(equation.source_info, self.is_own)

    def _step(
        self, equation: Any, ins: list[Any], place: Frame | None, is_backward: bool
    ) -> list[Any]:
        name, params = equation.primitive.name, equation.params
        inner = called_program(name, params)
        if params.get("name") == "_one_hot" and place is not None:
            self.operations.look_at_one_hot(inner, ins, place)
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
            NormalisedAxes(self._note_softmax).read(jaxpr)
        with suppress(Exception):
            for addition in half_sums(jaxpr):
                where = self._place_of(addition)
                if where is not None:
                    self.note("half_sum", where, aval=str(addition.outvars[0].aval.dtype))
        outer = sum(
            count_elements(v.aval) for v in (*jaxpr.invars, *jaxpr.outvars, *jaxpr.constvars)
        )
        for equation, where in zip(jaxpr.eqns, made_at, strict=True):
            aval = max((v.aval for v in equation.outvars), key=count_elements, default=None)
            size = count_elements(aval)
            is_large = size * element_bytes(aval) >= LARGE_BYTES
            if where is not None and is_large and size >= LARGE_RATIO * max(outer, 1):
                self.note("large", where, aval=str(aval))
                return

    def _note_axes(self, jaxpr: Any) -> None:
        """Record reshapes that exchange axes, and convolutions of images with channels first."""
        for kind, found in (("axes_mixed", axes_mixed), ("channels_first", sideways)):
            for equation, facts in found(jaxpr):
                where = self._place_of(equation)
                if where is not None:
                    self.note(kind, where, **facts)

    def _note_softmax(self, equations: Sequence[Any], form: str) -> None:
        found = (places.place_of(equation, self.is_own) for equation in equations)
        place = next((place for place in found if place is not None), None)
        if place is not None:
            self.note("softmax_axis", place, form=form)


def _results(answer: Any) -> Sequence[Any]:
    """Return the results of an operation; JAX hands those of a program on with the program."""
    outs = answer if isinstance(answer, list | tuple) else [answer]
    return outs[0] if len(outs) and isinstance(outs[0], list) else outs


def _most_rounds(jaxpr: Any) -> int:
    """Return how many rounds of a loop are evaluated: all of a short body's."""
    return max(LEAST_ROUNDS, MOST_LOOPED // max(1, len(jaxpr.eqns)))
