"""Observes a run for mistakes that raise nothing, such as effects while tracing, or retraces.

The observed functions are replaced while the learner's code runs and restored afterwards. A
replacement does what the original does, and also records the learner's frame.
"""

from __future__ import annotations

import ast
import builtins
import functools
import random
import re
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import Any

import jax
import numpy as np

from jaxtutor.core.data.diagnoses import Observation
from jaxtutor.core.data.positions import Frame, Span
from jaxtutor.worker import leaks, positions
from jaxtutor.worker.compilation_cache import CompilationCache
from jaxtutor.worker.internals import explanations, places, tracers, tracing
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.internals.tracers import tracers_in
from jaxtutor.worker.watching import captured_state
from jaxtutor.worker.watching.captured_state import ValueSnapshot
from jaxtutor.worker.watching.conversions import Conversions
from jaxtutor.worker.watching.eager_sums import EagerSums
from jaxtutor.worker.watching.eval_trace import EvaluationTrace
from jaxtutor.worker.watching.gradients import unused_copy
from jaxtutor.worker.watching.host_reads import HostReads
from jaxtutor.worker.watching.key_uses import KeyUses
from jaxtutor.worker.watching.recompilations import Recompilations

MOST_OBSERVATIONS = 40
MOST_KEYS = 1_000
"""Keys made from a seed whose bits are remembered; each is a few bytes."""
_TRACER_TEXT = re.compile(r"(Tracer|Traced)[(<]")
_MISS = re.compile(r"TRACING CACHE MISS")
_DEFINED = re.compile(r"(?:for )?(\S+) (?:id=\d+ )?defined at (.*):(\d+)")
_WARNINGS = (
    ("float64", re.compile(r"dtype float64 .*truncated to dtype float32", re.S)),
    (
        "int_update",
        re.compile(r"cannot safely cast value from dtype=\w*float\d+ .*dtype=u?int", re.S),
    ),
)
_DRAWING = (
    "normal uniform randint bernoulli categorical choice permutation truncated_normal exponential"
    " gumbel laplace beta gamma poisson dirichlet multivariate_normal rademacher bits split"
    " cauchy logistic t ball orthogonal"
).split()
_NP_RANDOM = (
    "rand randn randint random random_sample normal uniform choice permutation shuffle binomial"
    " poisson exponential standard_normal beta gamma multivariate_normal"
).split()
_RANDOM = (
    "random uniform randint gauss choice choices sample shuffle randrange normalvariate".split()
)
_TIME = "time perf_counter monotonic time_ns perf_counter_ns process_time".split()


@dataclass(frozen=True)
class _Use:
    """A use of a key by a function of `jax.random`."""

    place: Frame
    key: object
    experiment: int
    function: str


class Instrumentation:
    """Observes one run. A context manager that keeps the observations.

    With `effects_only`, only Python is observed: calls made while tracing, and warnings. JAX is not
    changed and the cost is too small to measure. Otherwise JAX's caches and the computed values
    are observed as well, which takes about as long as the run itself.

    `report` is called with each observation at once, except those that only the end decides.
    """

    def __init__(
        self,
        is_own: IsOwn,
        effects_only: bool = False,
        report: Callable[[Observation], None] | None = None,
        cache: CompilationCache | None = None,
    ) -> None:
        self.is_own: IsOwn = functools.cache(is_own)
        self._report = report
        self.effects_only = effects_only
        self._seen: dict[tuple[str, Frame | None], Observation] = {}
        self._states: list[ValueSnapshot] = []
        self._misses: Counter[tuple[str, str, int, str]] = Counter()
        self._undo: list[Callable[[], None]] = []
        self._recompiled = Recompilations(self.is_own, self._frame)
        self._keys = KeyUses(self.is_own, self.note_at, self._frame)
        self._conversions = Conversions(self.is_own, self.note_at, self._frame)
        self._reads = HostReads(self.is_own, self._frame, self._keep)
        self._sampler = CallSampler()
        self._seeds: set[object] = set()
        self._replay = EvaluationTrace(self.is_own, self.note_at, self._note_program, cache)
        self._experiment = 0  # one more each time that a key is made from the same seed again

    def __enter__(self) -> Instrumentation:
        self._watch_calls()
        self._watch_warnings()
        if not self.effects_only:
            self._watch_jax()
        return self

    def _watch_jax(self) -> None:
        places.exclude(str(Path(__file__).parent))
        self._watch_retraces()
        self._watch_keys()
        self._watch_ranks()
        self._undo.append(self._replay.start())
        self._undo.append(self._reads.start())
        look = self._replay.operations.look_at_sum
        self._undo.append(EagerSums(self.is_own, self._frame, look).start())
        self._replace(jax, "grad", self._differentiating)
        self._replace(jax, "value_and_grad", self._differentiating)
        self._replace(jax, "vmap", self._mapping)
        self._replace(jax, "device_put", self._conversions.putting)
        for name in ("asarray", "array"):
            self._replace(jax.numpy, name, self._conversions.converting)

    def __exit__(self, *_: object) -> None:
        while self._undo:
            self._undo.pop()()

    def forget(self) -> None:
        """Discard the observations, so that this object can observe another run.

        A function that `jax.grad` returned in an earlier run still reports to this object.
        """
        self._seen, self._states, self._misses = {}, [], Counter()
        self._recompiled.forget()
        self._keys.forget()
        self._conversions.forget()
        self._reads.forget()

    @property
    def seen(self) -> tuple[Observation, ...]:
        """The observations so far."""
        return tuple(self._seen.values())

    @property
    def states(self) -> tuple[ValueSnapshot, ...]:
        """Values that compiled functions could read in addition to their arguments."""
        return tuple(self._states)

    def observations(self) -> tuple[Observation, ...]:
        """Return the observations, including the tracers that are still alive."""
        again = self._recompiled.observations()
        found = [*self.seen, *self._retraces(), *again, *self._changes()]
        found.extend(self._reads.observations())
        held = (Observation("leak", k.created, {}, k) for k in leaks.live_leaks(self.is_own))
        return (*found[:MOST_OBSERVATIONS], *held)

    # ------------------------------------------------------------ recording

    def note(self, kind: str, frame: FrameType | None, **facts: str) -> None:
        """Record an observation once, at the innermost of the learner's frames."""
        place = self._frame(frame)
        if place is not None:
            self.note_at(kind, place, **facts)

    def note_at(self, kind: str, place: Frame, **facts: str) -> None:
        """Record an observation once, at a location."""
        self._keep(Observation(kind, place, facts))

    def _keep(self, found: Observation) -> None:
        at = found.kind, found.frame
        if len(self._seen) < MOST_OBSERVATIONS and at not in self._seen:
            self._seen[at] = found
            if self._report is not None:
                self._report(found)

    def _frame(self, frame: FrameType | None) -> Frame | None:
        while frame is not None and not self.is_own(frame.f_code.co_filename):
            frame = frame.f_back
        if frame is None:
            return None
        code = frame.f_code
        span = positions.span_at(code, frame.f_lasti)
        return Frame(code.co_filename, code.co_name, span) if span is not None else None

    def _is_called_by_learner(self, frame: FrameType | None) -> bool:
        return frame is not None and self.is_own(frame.f_code.co_filename)

    # ------------------------------------------------------------ replacing

    def _replace(self, owner: Any, name: str, make: Callable[[Any], Any]) -> None:
        original = getattr(owner, name, None)
        if original is None:
            return
        replacement = make(original)
        setattr(owner, name, replacement)
        self._undo.append(lambda: setattr(owner, name, original))

    def _watch_calls(self) -> None:
        self._replace(builtins, "print", self._printing)
        self._replace(builtins, "next", self._advancing)
        for module, names, kind in (
            (np.random, _NP_RANDOM, "host_random"),
            (random, _RANDOM, "host_random"),
            (time, _TIME, "host_time"),
        ):
            for name in names:
                self._replace(module, name, functools.partial(self._impure, kind))
        self._replace(np.random, "default_rng", self._seeding)
        self._replace(jax.core.Tracer, "item", self._item)
        self._replace(jax.debug, "print", self._formatting)

    def _printing(self, original: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(original)
        def print(*values: object, **options: Any) -> None:
            caller = _caller()
            if self._is_called_by_learner(caller) and any(map(_shows_tracer, values)):
                self.note("print", caller)
            self._replay.note_printed(values)
            original(*values, **options)

        return print

    def _formatting(self, original: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(original)
        def print(fmt: str, *values: Any, **options: Any) -> None:
            if type(fmt) is str and _TRACER_TEXT.search(fmt):
                self.note("debug_format", sys._getframe(1))
            original(fmt, *values, **options)

        return print

    def _advancing(self, original: Callable[..., Any]) -> Callable[..., Any]:
        is_own, find_frame = self.is_own, sys._getframe

        @functools.wraps(original)
        def next(*given: Any) -> Any:  # jax itself calls it a hundred times in each trace
            try:
                is_learners = is_own(find_frame(1).f_code.co_filename)
            except ValueError:  # an exit hook, for instance
                is_learners = False
            if is_learners and given and tracing.is_staging():
                caller = find_frame(1)
                name = _outer_name(caller, given[0])
                if name:
                    self.note("next", caller, name=name)
            return original(*given)

        return next

    def _impure(self, kind: str, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def impure(*args: Any, **kwargs: Any) -> Any:
            caller = _caller()
            if self._is_called_by_learner(caller) and tracing.is_staging():
                self.note(kind, caller, name=getattr(original, "__name__", ""))
            return original(*args, **kwargs)

        return impure

    def _seeding(self, original: Callable[..., Any]) -> Callable[..., Any]:
        watch = self

        class Generator(np.random.Generator):
            def __getattribute__(self, name: str) -> Any:
                caller = _caller()
                if watch._is_called_by_learner(caller) and tracing.is_staging():
                    watch.note("host_random", caller, name=name)
                return super().__getattribute__(name)

        @functools.wraps(original)
        def default_rng(*args: Any, **kwargs: Any) -> Any:
            made = original(*args, **kwargs)
            return Generator(made.bit_generator)

        return default_rng

    def _differentiating(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """Inspect each gradient that is computed."""
        is_pair = original is jax.value_and_grad

        @functools.wraps(original)
        def differentiate(function: Any, *rest: Any, **options: Any) -> Any:
            made = original(function, *rest, **options)
            argnums = rest[0] if rest else options.get("argnums", 0)
            has_aux = rest[1] if len(rest) > 1 else options.get("has_aux", False)

            @functools.wraps(made)
            def graded(*args: Any, **kwargs: Any) -> Any:
                caller = sys._getframe(1)
                if not self._sampler.is_due(caller):
                    return made(*args, **kwargs)
                unused = unused_copy(function)
                answer = made(*args, **kwargs)
                gradient = answer[1] if is_pair else answer[0] if has_aux else answer
                place = self._frame(caller)
                self._replay.look_at_gradient(made, unused, argnums, args, kwargs, place, gradient)
                return answer

            return graded

        return differentiate

    def _mapping(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """Record square arguments that are mapped over rows because `in_axes` was not given."""

        @functools.wraps(original)
        def vmap(function: Any, *rest: Any, **options: Any) -> Any:
            made = original(function, *rest, **options)
            if rest or options.get("in_axes", 0) != 0:
                return made
            applied = self._frame(sys._getframe(1))

            @functools.wraps(made)
            def mapped(*args: Any, **kwargs: Any) -> Any:
                shapes = [getattr(a, "shape", None) for a in args]
                squares = [n for n, s in enumerate(shapes) if s and len(s) == 2 and s[0] == s[1]]
                if applied is not None and len(args) > 1 and squares:
                    self.note_at("mapped_square", applied, positions=" ".join(map(str, squares)))
                return made(*args, **kwargs)

            return mapped

        return vmap

    def _item(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def item(tracer: Any, *args: Any) -> Any:
            value = original(tracer, *args)
            if tracing.transformation_of(tracer) == "grad":
                self.note("item", sys._getframe(1))
            return value

        return item

    # ------------------------------------------------------------ warnings and logs

    def _watch_warnings(self) -> None:
        """Observe warnings before filters apply, because the program may have disabled them."""

        def warning(original: Callable[..., None]) -> Callable[..., None]:
            def warn(message: Any, *rest: Any, **options: Any) -> None:
                for kind, pattern in _WARNINGS:
                    if pattern.search(str(message)):
                        self.note(kind, sys._getframe(1))
                if len(rest) > 1:
                    rest = (rest[0], rest[1] + 1, *rest[2:])
                else:
                    options["stacklevel"] = options.get("stacklevel", 1) + 1
                original(message, *rest, **options)

            return warn

        self._replace(warnings, "warn", warning)

    def _watch_ranks(self) -> None:
        """Record rank promotions; JAX's setting for them stays as the program has it."""

        def note(shapes: Sequence[tuple[int, ...]]) -> None:
            self._note_promotion(shapes, sys._getframe(1))

        self._undo.append(explanations.watch_promotions(note))

    def _note_promotion(self, shapes: Sequence[tuple[int, ...]], frame: FrameType) -> None:
        ranks = sorted(map(tuple, shapes), key=len)
        if len(ranks) == 2 and len(ranks[0]) == 1 and len(ranks[1]) == 2:
            (length,), (rows, columns) = ranks
            if length > 1 and rows == length and columns in (1, length):
                kind = "rank_promotion" if columns == 1 else "square_promotion"
                site = places.site_of(frame)
                facts = {"shapes": f"{ranks[1]} and {ranks[0]}"} | ({"site": site} if site else {})
                self.note(kind, frame, **facts)

    def _watch_keys(self) -> None:
        """Record each key that is passed to a function of `jax.random` a second time."""
        used: dict[object, _Use] = {}

        def drawing(original: Callable[..., Any]) -> Callable[..., Any]:
            @functools.wraps(original)
            def draw(*args: Any, **kwargs: Any) -> Any:
                caller = sys._getframe(1)
                key = args[0] if args else kwargs.get("key")
                if self._keys.is_due(caller):
                    self._note_equal_keys(caller, key)
                    if self._is_called_by_learner(caller):
                        self._note_shared_key(caller, key, original.__name__)
                        self._note_key(caller, key, original.__name__, used)
                        self._keys.note_leaves(key, caller)
                    else:
                        self._note_shared_mask(caller, key)
                    self._keys.follow(key, caller)
                return original(*args, **kwargs)

            return draw

        for name in _DRAWING:
            self._replace(jax.random, name, drawing)
        for name in ("key", "PRNGKey"):
            self._replace(jax.random, name, self._making_key)
        self._undo.append(used.clear)
        self._undo.append(self._keys.forget)

    def _making_key(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """Remember the keys that the learner makes from a seed.

        The same seed again begins another experiment, in which equal keys are equal on purpose.
        """

        @functools.wraps(original)
        def make(*args: Any, **kwargs: Any) -> Any:
            made = original(*args, **kwargs)
            if self._is_called_by_learner(_caller()) and not tracers.is_tracer(made):
                identity, _ = tracers.identity_of_key(made)
                self._experiment += identity in self._seeds
                if len(self._seeds) < MOST_KEYS:
                    self._seeds.add(identity)
            return made

        return make

    def _note_shared_key(self, caller: FrameType, key: Any, function: str) -> None:
        """Record a draw in a mapped function from a key that is not mapped."""
        if function == "split" or tracing.transformation_of(key) == "vmap":
            return
        mapped = [n for n, v in caller.f_locals.items() if _is_mapped(v)]
        if mapped:
            self.note("key_for_all", caller, mapped=" ".join(mapped))

    def _note_shared_mask(self, caller: FrameType, key: Any) -> None:
        """Record a layer of dropout in a mapped model that draws one mask for all examples."""
        is_layer = str(caller.f_globals.get("__name__", "")).endswith(".nn._dropout")
        if not is_layer or tracing.transformation_of(key) == "vmap":
            return
        outside = places.frame_outside_map(caller)
        if outside is not None and any(map(_is_mapped, caller.f_locals.values())):
            self.note("key_for_all", outside, layer="dropout")

    def _note_equal_keys(self, caller: FrameType, key: Any) -> None:
        """Record a mapped function that draws from an array in which every key is the same."""
        count = tracers.equal_keys_in(key) if _is_mapped(key) else 0
        outside = places.frame_outside_map(caller) if count else None
        if outside is not None:
            self.note("equal_keys", outside, times=str(count))

    def _note_key(
        self, caller: FrameType, key: Any, function: str, used: dict[object, _Use]
    ) -> None:
        identity, kept = tracers.identity_of_key(key)
        place = self._frame(caller)
        if identity is None or place is None:
            return
        use = _Use(place, key if kept is None else kept, self._experiment, function)
        first = used.setdefault(identity, use)
        if first is use:
            return
        if first.experiment != use.experiment and first.key is not use.key:
            used[identity] = use
            return
        name = next((n for n, v in caller.f_locals.items() if v is key), "")
        if first.place == place:
            self.note("key_reuse", caller, name=name, again="here")
            return
        facts = {"name": name or _first_argument(place), "first": str(first.place.span.line)}
        if function == "split" and first.function != "split":
            facts["form"] = "drawn_then_split"
        self.note("key_reuse", caller, **facts)

    def _watch_retraces(self) -> None:
        """Read JAX's explanations why it traces again; they are not shown."""
        self._undo.append(explanations.explain_misses(self._note_miss))

    def _note_miss(self, text: str) -> None:
        defined = _DEFINED.search(text)
        if not _MISS.search(text) or defined is None:
            return
        if self.is_own(defined[2]) or places.is_wrapper(defined[2]):
            self._recompiled.note_trace(defined[1], defined[2], int(defined[3]))
            for again in self._recompiled.often(defined[1], defined[2], int(defined[3])):
                if again.frame is not None:
                    self.note_at(again.kind, again.frame, **again.facts)
        if not self.is_own(defined[2]):
            return
        self._keep_state(Frame(defined[2], defined[1], _line(defined[2], int(defined[3]))))
        if "different input types" in text:
            return
        if "defined on the same line" in text:
            self._misses[("new_callable", defined[2], int(defined[3]), defined[1])] += 1
        elif "all previously seen cache keys differ" in text:
            self._misses[("static_change", defined[2], int(defined[3]), defined[1])] += 1

    def _note_program(self, closed: Any, args: Any) -> None:
        self._recompiled.note_program(closed)
        self._keys.note_compiled(closed, args)

    def _keep_state(self, frame: Frame) -> None:
        """Save values that a function being compiled can read in addition to its arguments."""
        call = tracing.call_being_traced()
        if call is None or len(self._states) >= MOST_OBSERVATIONS:
            return
        function, values = call
        room = MOST_OBSERVATIONS - len(self._states)
        found = captured_state.snapshots(frame, function, values, self.is_own)
        self._states.extend(islice(found, room))

    def _changes(self) -> Iterator[Observation]:
        for state in self._states:
            for name in state.changed():
                yield Observation(state.kind, state.frame, {"name": name})
            state.release()

    def _retraces(self) -> Iterator[Observation]:
        for (kind, file, line, name), count in self._misses.items():
            frame = Frame(file, name, positions.whole_line(file, line))
            same = self._recompiled.times_same(name, file, line)
            facts = {"name": name, "times": str(count), "same": str(same)}
            yield Observation(kind, frame, facts)


def _line(file: str, line: int) -> Span:
    return positions.whole_line(file, line)


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


def _is_mapped(value: object) -> bool:
    return tracers.is_tracer(value) and tracing.transformation_of(value) == "vmap"


def _first_argument(place: Frame) -> str:
    """Return the text of the first argument of the call at a place, such as `self.key`."""
    module = positions.module_of(place.file)
    node = module.node_at(place.span) if module is not None else None
    given = node.args[:1] if isinstance(node, ast.Call) else []
    return module.text(given[0]) if module is not None and given else ""


def _caller() -> FrameType | None:
    """Return the frame that called the function that calls this; None if Python itself did."""
    try:
        return sys._getframe(2)
    except ValueError:  # an exit hook, for instance
        return None


def _shows_tracer(value: object) -> bool:
    if type(value) is str:
        return bool(_TRACER_TEXT.search(value))
    return any(True for _ in tracers_in(value))


def _outer_name(frame: FrameType, iterator: object) -> str:
    """Return the name of an iterator from global or enclosing scope, or an empty string."""
    code = frame.f_code
    for name in code.co_freevars:
        if frame.f_locals.get(name) is iterator:
            return name
    for name in code.co_names:
        if frame.f_globals.get(name) is iterator:
            return name
    return ""
