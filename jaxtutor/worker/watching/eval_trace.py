"""Evaluates the learner's programs equation by equation and records suspicious values.

Eager operations are inspected as they run. A compiled program is evaluated once more, before it
runs. Each record is a fact with a location; `core` decides whether it is a mistake.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from types import FrameType
from typing import Any

import jax
import numpy as np

from jaxtutor.core.data.observations import CompiledAgain, NotFinite, Wrapped
from jaxtutor.core.data.positions import Frame
from jaxtutor.worker.compilation_cache import CompilationCache
from jaxtutor.worker.internals import evaluation, places, tracers
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.watching.clock_reads import ClockReads
from jaxtutor.worker.watching.coverage import Followed
from jaxtutor.worker.watching.custom_rules import CustomRules
from jaxtutor.worker.watching.eager_loops import COMPILED_BY_FUNCTION, LOOPS
from jaxtutor.worker.watching.gradient_watch import GradientWatch
from jaxtutor.worker.watching.index_watch import IndexWatch
from jaxtutor.worker.watching.key_flow import programs_in, uses_keys
from jaxtutor.worker.watching.ledger import Ledger
from jaxtutor.worker.watching.mapped_branches import CALLING_PYTHON, note_effect
from jaxtutor.worker.watching.non_finite import NonFiniteOrigins, Origin, is_finite
from jaxtutor.worker.watching.operations import ARITHMETIC, ROUNDING, Note, OperationWatch
from jaxtutor.worker.watching.precision import PrecisionWatch
from jaxtutor.worker.watching.program_walk import (
    Budget,
    Exhausted,
    ProgramWalk,
    Values,
    is_own_program,
)
from jaxtutor.worker.watching.replicas import ReplicaWatch
from jaxtutor.worker.watching.subprograms import as_program, called_program
from jaxtutor.worker.watching.whole_programs import WholePrograms

OPTIONS: Any = jax.config  # jax does not annotate its options

MOST_REPEATED = 200  # times that single operations of one expression are inspected
MOST_KNOWN = 500  # single operations in a row, none of them new, after which a loop is left alone
MOST_PROGRAMS = 1_000  # that are known as evaluated; a program beyond them may be evaluated again
MOST_OF_JAX = 6  # programs of JAX's own functions at one place, for other shapes each time
OFTEN = 16  # programs of JAX's own functions at one place that are reported
MOST_CHECKED = 200_000  # elements of a result of a later call, whose numbers are looked at
LAST_CALL = 128  # of a program that is evaluated: the first ones, then the 8th, the 16th, …


class EvaluationTrace:
    """Inspects evaluations as they happen, from `start` on."""

    def __init__(
        self,
        is_own: IsOwn,
        note: Note,
        on_program: Callable[[Any, Any], None] | None = None,
        cache: CompilationCache | None = None,
        *,
        on_keys: Callable[[Any, Any], bool] | None = None,
        on_later_keys: Callable[[Any, Any], bool] | None = None,
        on_later_call: Callable[[Any], None] = lambda _: None,
        on_call: Callable[[Any, Sequence[Any]], None] = lambda *_: None,
        on_loop: Callable[[str, Any], None] = lambda *_: None,
        on_own_call: Callable[[FrameType], None] = lambda _: None,
        clocks: ClockReads | None = None,
    ) -> None:
        self._clocks = clocks
        self._on_later_call, self._on_call, self._on_loop = on_later_call, on_call, on_loop
        self._on_own_call = on_own_call
        self.is_own = is_own
        self._on_keys, self._on_later_keys = on_keys, on_later_keys
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
        self._calls: Counter[int] = Counter()
        self._samples_next = False
        self._known = 0  # single operations in a row of which enough were inspected
        self.ledger = Ledger(is_own)
        self._origins = NonFiniteOrigins()
        self._budget = Budget()
        self.followed = Followed()
        precision = PrecisionWatch(note)
        self._walk = ProgramWalk(
            is_own, self.operations, precision, self._origins, self._budget, self.followed
        )
        self.contests, self.steps = self._walk.contests, self._walk.steps
        self.one_values, self.seeds = self._walk.one_values, self._walk.seeds
        self.programs = WholePrograms(is_own, note)
        self.gradients = GradientWatch(is_own, note, self._walk)
        self._replicas = ReplicaWatch(is_own, note)

    def start(self) -> Callable[[], None]:
        """Start inspecting. Return a function that stops it."""
        watch_single, stop_compiled = evaluation.watch_evaluation(self._evaluate)
        stop_following = evaluation.see_every_call(
            lambda: (
                self._indices.is_following
                or self._samples_next
                or self.ledger.wants_next
                or self.one_values.is_watching
                or (self._clocks is not None and self._clocks.is_open)
            )
        )

        def stop() -> None:
            watch_single(False)
            stop_compiled()
            stop_following()

        self._watch_single = watch_single
        return stop

    @contextmanager
    def looking(self) -> Iterator[None]:
        """Suspend inspection, and ignore errors: looking must not change what the learner sees."""
        was_busy, self.busy = self.busy, True
        try:
            yield
        except Exhausted:
            self.followed.leave_out("what came after the limit")
        except Exception:
            self.followed.leave_out("a program of another form")
        finally:
            self.busy = was_busy

    def _evaluate(
        self, original: Callable[[], Any], primitive: Any, args: Sequence[Any], params: Any
    ) -> Any:
        inner = called_program(primitive.name, params)
        checks_keys = OPTIONS.jax_debug_key_reuse  # evaluating twice would use each key twice
        self._look_at_rows(primitive, inner, args)
        self._note_use(args)
        if inner is not None and not self.busy:
            self.ledger.wants_next = False
            if self._is_own_program(inner.jaxpr):
                with suppress(Exception):  # this must never change what the learner sees
                    self._on_own_call(sys._getframe(1))
                original = self.ledger.recorded(original, inner, args)
            was_called = self._follow(inner, args) | self._is_evaluated(inner.jaxpr)
            is_due = self._is_sampled(inner.jaxpr)
            self._note_time(inner.jaxpr, args, not was_called)
            self._report_keys(inner, args, was_called)
            if was_called and is_due:
                with self.looking():
                    self._on_later_call(inner.jaxpr)
            if was_called and (not is_due or checks_keys):
                return self._call_later(original, inner, args)
            if was_called:
                return self._evaluate_program(original, inner, args, "", is_later=True)
            self._report_program(inner, args)
        if self._budget.is_used_up:
            self._watch_single(False)  # a hot loop of single operations is not slowed down
            return original()
        if self._is_paused and not self.busy:
            self._pause(False)  # something was compiled: the program has reached other code
        if self.busy or checks_keys:
            return original()
        if inner is None and primitive.name in (*COMPILED_BY_FUNCTION, "shard_map"):
            inner = self._as_program(primitive, args, params)
        if inner is not None and self._is_worth_a_look(inner.jaxpr):
            return self._evaluate_program(original, inner, args, params.get("name", ""))
        self._look_at_effect(primitive)
        answer = self._unobserved(original)
        is_draw = inner is not None and tracers.draws_numbers(inner.jaxpr)
        if not is_draw:  # nothing to look at, and a typed key has no numbers
            self._look_when_due(primitive, args, params, answer)
        return answer

    def _note_time(self, jaxpr: Any, args: Sequence[Any], is_first: bool) -> None:
        """Record a call that the learner may measure: not one of JAX's own programs."""
        where = tracers.program_place(jaxpr) if self._clocks is not None else None
        if where is None or (places.is_neutral(where[1]) and not self.is_own(where[1])):
            return
        with suppress(Exception):  # this must never change what the learner sees
            assert self._clocks is not None
            self._clocks.note_call(jaxpr, args, is_first, sys._getframe(2))

    def _call_later(self, original: Callable[[], Any], inner: Any, args: Sequence[Any]) -> Any:
        """Call a program, and evaluate it if this call is the first with a NaN or an infinity."""
        answer = original()
        with suppress(Exception):  # an argument may be donated
            self.one_values.look_at_call(inner.jaxpr, _results(answer))
        if self._samples_next and not self._origins.count:
            is_wrong = False
            with suppress(Exception):  # an argument may be donated
                outs = [x for x in _results(answer) if np.size(x) <= MOST_CHECKED]
                is_wrong = not all(map(is_finite, outs)) and all(map(is_finite, args))
            if is_wrong:
                return self._evaluate_program(lambda: answer, inner, args, "", is_later=True)
        return answer

    def _as_program(self, primitive: Any, args: Sequence[Any], params: Any) -> Any:
        """Count what JAX compiles by its functions, and return a loop as a program."""
        with suppress(Exception):  # this must never change what the learner sees
            if primitive.name in COMPILED_BY_FUNCTION:
                self._on_loop(primitive.name, params)
        is_loop = primitive.name in LOOPS
        if not is_loop and not any(uses_keys(body, {}) for body in programs_in(params)):
            return None
        program = as_program(primitive, args, params)
        self._report_keys(program, args)
        return program if is_loop else None

    def _look_at_rows(self, primitive: Any, inner: Any, args: Sequence[Any]) -> None:
        """Record the rows of what the program evaluates beside a training."""
        if self.busy or not self.ledger.batches.is_following:
            return
        with suppress(Exception):  # this must never change what the learner sees
            jaxpr = inner.jaxpr if inner is not None else None
            self.ledger.batches.look(primitive.name, jaxpr, args)

    def _note_use(self, args: Sequence[Any]) -> None:
        """Record that the program computes with results that are one value each."""
        if self.busy or not any(map(self.one_values.holds, args)):
            return
        with suppress(Exception):  # this must never change what the learner sees
            place, is_backward = places.current_place(self.is_own)
            if not is_backward:
                self.one_values.use(args, place)

    def _look_at_effect(self, primitive: Any) -> None:
        """Record an effect in a mapped branch that runs now, if it is not meant for all."""
        if primitive.name not in CALLING_PYTHON:
            return
        with suppress(Exception):  # this must never change what the learner sees
            meant = places.predicate_of_branch()
            place, _ = places.current_place(self.is_own)
            if meant is not None and place is not None:
                note_effect(meant, place, self.note)

    def _unobserved(self, original: Callable[[], Any]) -> Any:
        self.busy = True  # JAX compiles single operations too; those are not programs
        try:
            return original()
        finally:
            self.busy = False

    def _look_when_due(self, primitive: Any, args: Sequence[Any], params: Any, answer: Any) -> None:
        """Look at a single operation, unless its line ran many times."""
        if self._is_due():
            self._known = 0
            self._look_at_eager(primitive, args, params, answer)
        else:
            self._known += 1
            if self._known >= MOST_KNOWN:
                self._pause(True)

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
            self.operations.look_at_equality(
                ins, places.current_place(self.is_own)[0], is_later=True
            )
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

    def _is_sampled(self, jaxpr: Any) -> bool:
        """Count a call of a program of the learner's, and return whether to evaluate it."""
        self._samples_next = False
        if self._budget.later <= 0 or self._budget.is_used_up or not self._is_own_program(jaxpr):
            return False
        self._calls[id(jaxpr)] += 1
        count = self._calls[id(jaxpr)]
        self._samples_next = count < LAST_CALL
        is_early = count <= 4 or (count & (count - 1) == 0 and count <= LAST_CALL)
        return is_early or self.ledger.is_late_call(jaxpr)

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

    def _report_keys(self, inner: Any, args: Any, was_called: bool = False) -> None:
        """Have the keys of a program followed, before it runs."""
        on_keys = self._on_later_keys if was_called else self._on_keys
        if on_keys is not None and inner is not None:
            with self.looking():
                if not on_keys(inner, args):
                    self.followed.leave_out("keys of a long program")

    def _count_program(self) -> None:
        """Record that one of JAX's functions was compiled again and again at one place."""
        site = places.calling_site(self.is_own)
        self._programs_at[site] += 1
        if self._programs_at[site] == OFTEN:
            where, _ = places.current_place(self.is_own)
            if where is not None:
                self.note(CompiledAgain(OFTEN), where)

    def _evaluate_program(
        self,
        original: Callable[[], Any],
        inner: Any,
        args: Any,
        name: str,
        is_later: bool = False,
    ) -> Any:
        outs: Values = []
        self._budget.is_later = is_later
        started = self._budget.begin()
        with self.looking(), evaluation.evaluating(), self._compiling():
            with suppress(Exception):  # the call alone is not looked at
                self._on_call(inner.jaxpr, args)
            outs = self._look_into(inner, args, name, is_later)
        self._budget.spent += time.process_time() - started
        self._budget.is_later = False
        self.busy = True  # what JAX compiles meanwhile belongs to this program
        try:
            answer = original()
            self._remember(outs, _results(answer))
            with suppress(Exception):  # this must never change what the learner sees
                self.one_values.watch(inner.jaxpr, outs)
            self._look_at_copies(inner, answer)
            return answer
        finally:
            self.busy = False

    def _remember(self, outs: Values, answers: Sequence[Any]) -> None:
        """Remember of what a program returned what was found out about it."""
        with suppress(Exception):
            for value, answer in zip(outs, answers, strict=False):
                if value is not None:
                    self._walk.keep(answer, value)
                    self._origins.copy_to([value.narrow], [answer])

    def _look_at_copies(self, program: Any, answer: Any) -> None:
        """Compare the copies of what a program has returned on several devices."""
        with suppress(Exception):
            place, _ = places.current_place(self.is_own)
            self._replicas.look(program, _results(answer), place)

    def _compiling(self) -> AbstractContextManager[None]:
        """Return a context in which operations that were compiled in an earlier run are loaded."""
        return nullcontext() if self._cache is None else evaluation.compiling_with(self._cache)

    # ------------------------------------------------------------ eager operations

    def _look_at_eager(self, primitive: Any, args: Sequence[Any], params: Any, answer: Any) -> None:
        started = time.process_time()
        self._budget.count_single()
        with self.looking():
            place, is_backward = places.current_place(self.is_own)
            is_integer = primitive.name in ARITHMETIC and jax.typeof(answer).dtype.kind in "iu"
            if is_integer and places.is_librarys_now(self.is_own):
                place = None
            if place is not None:
                outs = _results(answer)
                self.operations.library = places.calling_library(self.is_own)
                self._origins.follow(
                    primitive.name,
                    args,
                    outs,
                    place,
                    is_backward,
                    explain=lambda: self._walk.lost_of_single(primitive.name, params, args, outs),
                )
                self.operations.look(
                    primitive.name, params, list(args), list(outs), place, is_backward
                )
                if not is_backward:
                    self._walk.look_at_single(primitive.name, params, args, outs, place)
        self._budget.spent += time.process_time() - started

    def look_at_gradient(
        self,
        made: Any,
        function: Any,
        argnums: Any,
        args: Any,
        kwargs: Any,
        place: Frame | None,
        gradient: Any,
    ) -> None:
        """Inspect a gradient that the program has computed."""
        if not self.busy:
            with self.looking():
                self.gradients.look_at_answer(
                    made, function, argnums, args, kwargs, place, gradient
                )

    def look_at_rules(
        self, rules: CustomRules, function: Any, argnums: Any, args: Any, kwargs: Any
    ) -> None:
        """Inspect the rules of a function whose gradient the program is about to compute."""
        if not self.busy:
            with self.looking():
                rules.look(function, argnums, args, kwargs)

    # ------------------------------------------------------------ compiled programs

    def _look_into(self, closed: Any, args: Sequence[Any], name: str, is_later: bool) -> Values:
        """Inspect a program and return its results."""
        place, _ = places.current_place(self.is_own)
        self.operations.library = places.calling_library(self.is_own)
        if not is_later:
            self._look_at_whole(closed, args, name, place)
        carried = self.ledger.carried(closed.jaxpr)
        outs = self._walk.run_program(closed, args, place, carried)
        for out in outs:
            origin = self._origins.of(out.narrow) if out is not None else None
            if origin is not None:
                self._note_origin(origin)
        return outs

    def _look_at_whole(
        self, closed: Any, args: Sequence[Any], name: str, place: Frame | None
    ) -> None:
        """Inspect a program without evaluating it."""
        if self._is_own_program(closed.jaxpr):
            self.followed.functions.add(name)
            self.programs.look(closed.jaxpr)
            with suppress(Exception):  # one that fails leaves the others
                self.programs.look_at_promotions(closed.jaxpr)
        with suppress(Exception):  # one that fails leaves the others
            self.programs.look_at_axes(closed.jaxpr)
        with suppress(Exception):
            self.programs.look_at_unread(closed.jaxpr)
        with suppress(Exception):
            self.programs.look_at_kernels(closed.jaxpr, place)
        if name == "_one_hot" and place is not None:
            self.operations.look_at_one_hot(closed, list(args), place)

    def note_printed(self, values: Sequence[object]) -> bool:
        """Record where printed values come from that are not finite.

        Return whether there is such a value, and nothing is known of where it comes from.
        """
        with suppress(Exception):  # printing goes on
            self.one_values.use(values)
            for origin in self._origins.shown(values):
                self._note_origin(origin)
            return self._origins.is_unexplained(values)
        return False

    def _note_origin(self, origin: Origin) -> None:
        if origin.place is None:
            return
        lost = origin.lost
        if lost is None:
            is_gradient = origin.is_backward
            seen = NotFinite(origin.detail, origin.defect, is_gradient=is_gradient)
            self.note(seen, origin.place)
            return
        if lost.kind == "wrapped":
            self.note(Wrapped(lost.dtype), lost.place)
        seen = NotFinite(
            origin.detail, None, lost.kind, lost.exact, lost.dtype, lost.place, lost.operation
        )
        self.note(seen, origin.place)

    def _is_own_program(self, jaxpr: Any) -> bool:
        return is_own_program(jaxpr, self.is_own)


def _results(answer: Any) -> Sequence[Any]:
    """Return the results of an operation; JAX hands those of a program on with the program."""
    outs = answer if isinstance(answer, list | tuple) else [answer]
    return outs[0] if len(outs) and isinstance(outs[0], list) else outs
