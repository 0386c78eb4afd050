"""Observes a run for mistakes that raise nothing, such as effects while tracing, or retraces.

The observed functions are replaced while the learner's code runs and restored afterwards. A
replacement does what the original does, and also records the learner's frame.
"""

from __future__ import annotations

import functools
import sys
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import jax

from jaxtutor.core.data.coverage import Coverage
from jaxtutor.core.data.observations import LeakedTracer, Observation
from jaxtutor.worker import leaks
from jaxtutor.worker.compilation_cache import CompilationCache
from jaxtutor.worker.failures import queued_work
from jaxtutor.worker.internals import places
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.watching.accumulators import Accumulators
from jaxtutor.worker.watching.captured_state import ValueSnapshot
from jaxtutor.worker.watching.clock_reads import ClockReads
from jaxtutor.worker.watching.conversions import Conversions
from jaxtutor.worker.watching.custom_rules import CustomRules
from jaxtutor.worker.watching.dropped_answers import DroppedAnswers
from jaxtutor.worker.watching.eager_functions import EagerFunctions
from jaxtutor.worker.watching.eager_loops import EagerLoops
from jaxtutor.worker.watching.eager_sums import EagerSums
from jaxtutor.worker.watching.eval_trace import EvaluationTrace
from jaxtutor.worker.watching.gradients import unused_copy
from jaxtutor.worker.watching.host_reads import HostReads
from jaxtutor.worker.watching.key_draws import KeyDraws
from jaxtutor.worker.watching.key_uses import KeyUses
from jaxtutor.worker.watching.python_effects import PythonEffects
from jaxtutor.worker.watching.recompilations import Recompilations
from jaxtutor.worker.watching.recorder import MOST_OBSERVATIONS, Recorder
from jaxtutor.worker.watching.replacements import Replacements
from jaxtutor.worker.watching.retraces import Retraces
from jaxtutor.worker.watching.square_arguments import SquareArguments
from jaxtutor.worker.watching.tree_changes import TreeChanges
from jaxtutor.worker.watching.tree_maps import TreeMaps


class Instrumentation:
    """Observes one run. A context manager that keeps the observations.

    Python is observed (calls made while tracing, and warnings), and JAX's caches and the computed
    values, which takes about as long as the run itself.

    `report` is called with each observation at once, except those that only the end decides.
    """

    def __init__(
        self,
        is_own: IsOwn,
        report: Callable[[Observation], None] | None = None,
        cache: CompilationCache | None = None,
    ) -> None:
        recorder = self._recorder = Recorder(is_own, report)
        self._replacements = Replacements()
        self._recompiled = Recompilations(recorder)
        self._retraces = Retraces(recorder, self._recompiled)
        self._keys = KeyUses(recorder)
        self._conversions = Conversions(recorder)
        self._reads = HostReads(recorder)
        self._sums = Accumulators(recorder)
        self._trees = TreeChanges(recorder)
        self._maps = TreeMaps(self._sums.look, self._trees.look_at_map)
        self._loops = EagerLoops(recorder)
        self._answers = DroppedAnswers(recorder)
        self._eager = EagerFunctions(recorder)
        self._clocks = ClockReads(recorder, lambda: self._replay.busy)
        self._replay = EvaluationTrace(
            recorder.is_own,
            recorder.note_at,
            lambda closed, _: self._recompiled.note_program(closed),
            cache,
            on_keys=self._keys.note_compiled,
            on_later_keys=self._keys.note_call,
            on_later_call=self._retraces.note_call,
            on_call=self._sums.look_at_call,
            on_loop=self._loops.note,
            on_own_call=self._trees.look_at_call,
            clocks=self._clocks,
        )
        self._effects = PythonEffects(recorder, self._replay.note_printed, self._clocks.note_read)
        self._draws = KeyDraws(recorder, self._keys, self._replay.seeds)
        self._squares = SquareArguments(recorder)
        self._gradients = CallSampler()
        self._rules = CustomRules(recorder.is_own, recorder.note_at)

    def __enter__(self) -> Instrumentation:
        self._effects.start(self._replacements)
        self._watch_jax(self._replacements)
        return self

    def _watch_jax(self, replacements: Replacements) -> None:
        places.exclude(str(Path(__file__).parent))
        self._retraces.start(replacements)
        self._draws.start(replacements)
        self._squares.start(replacements)
        self._rules.start(replacements)
        self._maps.start(replacements)
        replacements.add(self._sums.forget)
        self._clocks.start(replacements)
        replacements.add(self._eager.start())
        replacements.add(self._keys.forget)
        replacements.add(self._replay.start())
        replacements.add(self._reads.start())
        replacements.add(self._answers.start())
        sums = EagerSums(self._recorder, self._replay.operations.look_at_sum)
        replacements.add(sums.start())
        remembering = functools.partial(queued_work.remembering, is_own=self._recorder.is_own)
        replacements.replace(threading.Thread, "start", remembering)
        for name in ("grad", "value_and_grad"):
            replacements.replace(jax, name, self._differentiating)
        replacements.replace(jax, "device_put", self._conversions.putting)
        for name in ("asarray", "array"):
            replacements.replace(jax.numpy, name, self._conversions.converting)

    def __exit__(self, *_: object) -> None:
        self._replacements.undo()

    def forget(self) -> None:
        """Discard the observations, so that this object can observe another run.

        A function that `jax.grad` returned in an earlier run still reports to this object.
        """
        self._recorder.forget()
        self._retraces.forget()
        self._recompiled.forget()
        self._keys.forget()
        self._conversions.forget()
        self._reads.forget()
        self._loops.forget()
        self._answers.forget()
        self._trees.forget()
        self._clocks.forget()
        self._eager.forget()
        self._replay.ledger.forget()
        self._replay.contests.forget()
        self._replay.one_values.forget()
        self._replay.steps.forget()
        self._replay.seeds.forget()
        self._replay.programs.unread.forget()

    @property
    def seen(self) -> tuple[Observation, ...]:
        """The observations so far."""
        return self._recorder.seen

    @property
    def codes(self) -> tuple[CodeType, ...]:
        """The learner's code in which something could be observed."""
        return self._recorder.codes

    @property
    def coverage(self) -> Coverage:
        """What of the run was followed."""
        return self._replay.followed.coverage(self._keys.count)

    @property
    def states(self) -> tuple[ValueSnapshot, ...]:
        """Values that compiled functions could read in addition to their arguments."""
        return self._retraces.states

    def observations(self) -> tuple[Observation, ...]:
        """Return the observations, including the tracers that are still alive."""
        again = self._recompiled.observations()
        found = [*self.seen, *self._retraces.observations(), *again, *self._retraces.changes()]
        found.extend(self._reads.observations())
        found.extend(self._loops.observations())
        found.extend(self._answers.observations())
        found.extend(self._clocks.observations())
        found.extend(self._eager.observations())
        found.extend(self._replay.ledger.observations())
        found.extend(self._replay.contests.observations())
        found.extend(self._replay.one_values.observations())
        found.extend(self._replay.steps.observations())
        found.extend(self._replay.programs.unread.observations())
        alive = leaks.live_leaks(self._recorder.is_own)
        held = (LeakedTracer(k, frame=k.created) for k in alive)
        return (*found[:MOST_OBSERVATIONS], *held)

    def _differentiating(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """Inspect each gradient that is computed."""
        is_pair = original is jax.value_and_grad

        @functools.wraps(original)
        def differentiate(function: Any, *rest: Any, **options: Any) -> Any:
            made = original(function, *rest, **options)
            argnums = rest[0] if rest else options.get("argnums", 0)
            has_aux = rest[1] if len(rest) > 1 else options.get("has_aux", False)
            is_holomorphic = rest[2] if len(rest) > 2 else options.get("holomorphic", False)

            @functools.wraps(made)
            def graded(*args: Any, **kwargs: Any) -> Any:
                caller = sys._getframe(1)
                if not self._gradients.is_due(caller):
                    return made(*args, **kwargs)
                self._trees.look_at_gradient(caller, args)
                unused = unused_copy(function)
                if self._rules.is_due(caller):
                    self._replay.look_at_rules(
                        self._rules, unused_copy(function), argnums, args, kwargs
                    )
                answer = made(*args, **kwargs)
                gradient = answer[1] if is_pair else answer[0] if has_aux else answer
                self._replay.ledger.note_gradient(function, argnums, args, gradient, caller)
                place = self._recorder.place_of(caller)
                with suppress(Exception):  # this must never change what the learner sees
                    self._replay.steps.note(argnums, args, gradient, place, is_holomorphic)
                self._replay.look_at_gradient(made, unused, argnums, args, kwargs, place, gradient)
                return answer

            return graded

        return differentiate


class CallSampler:
    """Chooses which calls of a hot loop to look at: the first ones, then ever fewer."""

    FIRST = 16  # calls from one place that are all looked at

    def __init__(self) -> None:
        self._counts: Counter[tuple[int, int]] = Counter()

    def is_due(self, caller: FrameType) -> bool:
        """Count a call from a place, and return whether to look at it."""
        place = (id(caller.f_code), caller.f_lasti)
        self._counts[place] += 1
        count = self._counts[place]
        return count <= self.FIRST or count & (count - 1) == 0
