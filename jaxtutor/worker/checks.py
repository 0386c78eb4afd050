"""Measures the properties of a submission that the vocabulary defines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter, time
from typing import TYPE_CHECKING, Any

import jax
import jax.monitoring
import jax.numpy as jnp
from msgspec.structs import replace

from jaxtutor.core import vocabulary as words
from jaxtutor.core.data.facts import PropertyFacts
from jaxtutor.core.data.failures import Failure, Leak
from jaxtutor.core.data.jaxprs import Jaxpr
from jaxtutor.core.data.observations import Observation
from jaxtutor.core.data.positions import Frame
from jaxtutor.core.data.values import Tree
from jaxtutor.core.judging.compare import find_non_finite, is_zero_throughout
from jaxtutor.core.vocabulary import Call, Property
from jaxtutor.worker import jaxprs, leaks, values
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.key_sinks import repeats_a_key, takes_keys_in_turn
from jaxtutor.worker.lesson import make_calls
from jaxtutor.worker.precompile import PendingProgram, begin_all
from jaxtutor.worker.subject import Gradients, TestedFunction, TraceCounter

if TYPE_CHECKING:
    from jaxtutor.worker.watching.eval_trace import EvaluationTrace

REPEATED = 8  # equations of one expression in a program that was seen to grow
MOST_EQUATIONS = 200
"""Equations of a jaxpr that is sent along, to find the one that changes the dtype."""
TRACE_EVENT = "/jax/core/compile/jaxpr_trace_duration"


class BrokenCheck(Exception):
    """A lesson's own check broke: the learner is not at fault."""


@dataclass
class Prepared:
    """A property with its calls made and its programs, if it has any, being compiled."""

    wanted: Property
    calls: tuple[Call, ...]
    programs: tuple[PendingProgram, ...]
    seconds: float
    error: BaseException | None = None
    running: str = ""  # the call that is being made


def in_order(properties: Sequence[Property]) -> list[Property]:
    """Return properties in the order in which they are measured: leaks first."""
    return sorted(properties, key=lambda wanted: not isinstance(wanted, words.NoLeak))


def has_programs(wanted: Property) -> bool:
    """Return whether a property is measured by what programs answer."""
    return isinstance(wanted, words.Gradient | words.Vmap | words.Finite)


def prepare(wanted: Property, tested: TestedFunction) -> Prepared:
    """Make a property's calls, and have XLA begin with what they need. Raises BrokenCheck.

    What the submission raises, such as for a call that does not fit it, is left to `measure`.
    """
    started = perf_counter()
    calls = calls_of(wanted)
    try:
        programs = tuple(program for call in calls for program in programs_of(wanted, tested, call))
    except BaseException as error:  # the submission's signature is read in here
        return Prepared(wanted, calls, (), perf_counter() - started, error)
    if tested.jits:
        begin_all(programs)
    return Prepared(wanted, calls, programs, perf_counter() - started)


def measure(
    prepared: Prepared,
    tested: TestedFunction,
    own_names: frozenset[str],
    describe: Callable[[BaseException], Failure],
    file: str,
) -> PropertyFacts:
    """Measure one property of the submission in `file`; what it raises is part of the facts."""
    started = perf_counter()
    plain = _plain(prepared.wanted)
    try:
        if prepared.error is not None:
            raise prepared.error
        facts = _measure(prepared, tested, own_names, file)
    except BrokenCheck:
        raise
    except BaseException as error:  # the submission runs in here
        facts = {"failure": describe(error), "failed_call": prepared.running}
    return PropertyFacts(plain, prepared.seconds + perf_counter() - started, **facts)


def look_closer(
    wanted: Property, facts: PropertyFacts, tested: TestedFunction, is_own: IsOwn
) -> tuple[Observation, ...]:
    """Look for what may be behind a property that fails.

    A gradient that is not finite, or is zero throughout, and a program that grows have a place in
    the source. Each observation names the check: it is a mistake only where that check fails.
    """
    found: list[Observation] = []

    def note(seen: Observation, place: Frame) -> None:
        found.append(replace(seen, frame=place, check=wanted.name))

    match wanted:
        case words.Gradient(argnums=argnums) | words.Finite(gradient=True, argnums=argnums):
            is_broken = any(map(find_non_finite, facts.trees))
            if is_broken or any(map(is_zero_throughout, facts.trees)):
                _look_at_gradients(_replay(is_own, note), wanted, tested, argnums, is_broken)
        case words.SameSize() if len(set(facts.counts.values())) > 1:
            with suppress(Exception):  # a second look that fails has nothing to add
                jaxpr, _ = tested.jaxpr(calls_of(wanted)[-1])
                _replay(is_own, note).programs.look(jaxpr.jaxpr, REPEATED, rounds=1)
    return tuple(found)


def _replay(is_own: IsOwn, note: Callable[[Observation, Frame], None]) -> EvaluationTrace:
    """Return what evaluates once more; most submissions are right, and do not need it."""
    from jaxtutor.worker.watching.eval_trace import EvaluationTrace

    return EvaluationTrace(is_own, note)


def _look_at_gradients(
    replay: EvaluationTrace,
    wanted: Property,
    tested: TestedFunction,
    argnums: int | tuple[int, ...],
    is_broken: bool,
) -> None:
    numbers = (argnums,) if isinstance(argnums, int) else argnums
    for call in calls_of(wanted):
        with replay.looking():
            if is_broken:
                replay.gradients.look_for_nan(*tested.pull_back(call, argnums))
            else:
                replay.gradients.look_for_blocks(*tested.closed(call, numbers))


def _plain(wanted: Property) -> Property:
    if isinstance(wanted, words.Custom):
        return replace(wanted, calls=(), test=None)
    return replace(wanted, calls=())


def calls_of(wanted: Property) -> tuple[Call, ...]:
    """Make the calls of a property; whatever goes wrong is the lesson's fault."""
    try:
        calls = make_calls(wanted.calls)
    except Exception as error:
        raise BrokenCheck(
            f"the calls of {wanted.name!r}: {type(error).__name__}: {error}"
        ) from error
    if not calls and not isinstance(wanted, words.Custom):
        raise BrokenCheck(f"{wanted.name!r} has no calls")
    return calls


def _measure(
    prepared: Prepared, tested: TestedFunction, own_names: frozenset[str], file: str
) -> dict[str, Any]:
    wanted, calls = prepared.wanted, prepared.calls
    about = _about(tested, calls)
    match wanted:
        case words.Traces():
            return {"counts": count_traces(tested, calls, own_names | set(wanted.probes))}
        case words.NoLeak():
            return {"leaks": find_leaks(tested, calls, wanted.under)}
        case words.SameSize():
            return {"counts": count_equations(tested, calls, about["inputs"])}
        case words.Sharded():
            return {"names": tuple(text for call in calls for text in shardings(tested.call(call)))}
        case words.KeysOnce():
            return use_keys_once(tested, calls)
        case words.Untouched():
            changes = (changed_argument(tested.function, call) for call in calls)
            return {"problem": next(filter(None, changes), "")}
        case words.Custom():
            return {"problem": run_custom(wanted, tested)}
        case words.Uses() | words.Avoids() | words.LargestIntermediate() | words.NoConstants():
            return look_at_jaxprs(wanted, [tested.jaxpr(call)[0] for call in calls])
        case words.Types():
            trees = tuple(type_tree(tested, call) for call in calls)
            made = tuple(small_jaxpr(tested, call, file) for call in calls)
            return {"trees": trees, "jaxprs": made, **about}
        case _:
            return {**_answers(prepared, about), "eager": _eager_gradients(prepared, tested)}


def _answers(prepared: Prepared, about: dict[str, Any]) -> dict[str, Any]:
    """Run the programs of a property; a gradient comes in up to three parts."""
    trees: list[Tree] = []
    weighted: list[Tree] = []
    primals: list[Tree] = []
    per_call = max(len(prepared.programs) // max(len(prepared.calls), 1), 1)
    for place, program in enumerate(prepared.programs):
        prepared.running = about["inputs"][place // per_call]
        answer = program()
        if isinstance(answer, Gradients):
            answer, second, primal = answer
            weighted += [] if second is None else [values.to_tree(second)]
            primals.append(values.to_tree(primal))
        trees.append(values.to_tree(answer))
    answers = {"trees": trees, "weighted": weighted, "primals": primals}
    return {**{name: tuple(parts) for name, parts in answers.items()}, **about}


def _eager_gradients(prepared: Prepared, tested: TestedFunction) -> tuple[Tree, ...]:
    """Return the gradients without jit, where they must be finite: XLA may fold a NaN away."""
    match prepared.wanted:
        case (
            words.Gradient(finite=True, argnums=argnums)
            | words.Finite(gradient=True, argnums=argnums)
        ) if tested.jits:
            gradients = []
            for call, inputs in zip(prepared.calls, _inputs(prepared, tested), strict=True):
                prepared.running = inputs
                pull_back, moving = tested.pull_back(call, argnums)
                gradients.append(values.to_tree(pull_back(*moving)))
            return tuple(gradients)
    return ()


def _inputs(prepared: Prepared, tested: TestedFunction) -> list[str]:
    return [values.describe_call(tested.function, c.args, c.kwargs) for c in prepared.calls]


def _about(tested: TestedFunction, calls: tuple[Call, ...]) -> dict[str, Any]:
    """Describe the calls of a property whose answers are compared."""
    function = tested.function
    return {
        "inputs": tuple(values.describe_call(function, c.args, c.kwargs) for c in calls),
        "reasons": tuple(call.reason for call in calls),
        "arguments": tuple(values.small_arguments(function, c.args, c.kwargs) for c in calls),
    }


def programs_of(wanted: Property, tested: TestedFunction, call: Call) -> Iterator[PendingProgram]:
    """Yield what is run of one call, where the answers are to be compared."""
    match wanted:
        case words.Gradient(argnums=argnums):
            yield tested.gradient(call, argnums)
        case words.Vmap(in_axes=in_axes):
            yield tested.mapped(call, in_axes)
        case words.Finite(gradient=gradient, argnums=argnums):
            yield tested.program(call)
            if gradient:
                yield tested.gradient(call, argnums)


def changed_argument(function: Callable[..., Any], call: Call) -> str:
    """Say which part of its arguments a call replaces, adds or takes away; nothing if none.

    The function is traced with the caller's own dicts and lists. `jax.jit` would hand it copies,
    which nobody sees again.
    """
    args, kwargs = jax.tree.map(lambda leaf: leaf, (call.args, call.kwargs))
    before = values.parts_of(function, args, kwargs)
    jax.eval_shape(lambda: function(*args, **kwargs))
    after = values.parts_of(function, args, kwargs)
    for path in before | after:
        if before.get(path) is not after.get(path):
            return f"the call changes `{path}` of its caller"
    return ""


def look_at_jaxprs(wanted: Property, traced: list[Any]) -> dict[str, Any]:
    """Say what the jaxprs hold: names of primitives, or the size of the largest value."""
    if isinstance(wanted, words.Uses | words.Avoids):
        return {"names": tuple(sorted({name for it in traced for name in jaxprs.primitives(it)}))}
    size = jaxprs.constants if isinstance(wanted, words.NoConstants) else jaxprs.largest
    return {"counts": {"largest": max(map(size, traced))}}


def count_traces(
    tested: TestedFunction, calls: tuple[Call, ...], names: frozenset[str] | set[str]
) -> dict[str, int]:
    """Count how often the body is traced over the calls, without compiling where that can be."""
    if not tested.jits:
        with TraceLog(names) as log:
            for call in calls:
                tested.call(call)
        return {"traces": log.outermost(), "calls": len(calls)}
    counter = TraceCounter(tested.function)
    compiled: Any = tested.jit(counter.function)
    for call in calls:
        compiled.eval_shape(*call.args, **call.kwargs)
    return {"traces": counter.times, "calls": len(calls)}


class TraceLog:
    """Notes each trace of a function of one of these names, through jax's own monitoring.

    jax reports a trace when it ends, with its duration; one that lies within another belongs to it.
    """

    def __init__(self, names: frozenset[str] | set[str]) -> None:
        self.names = names
        self.spans: list[tuple[float, float]] = []

    def __enter__(self) -> TraceLog:
        jax.monitoring.register_event_duration_secs_listener(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        self.names = frozenset()  # a listener stays registered; from now on it notes nothing

    def _note(self, event: str, duration_secs: float, **details: str | int) -> None:
        if event == TRACE_EVENT and details.get("fun_name") in self.names:
            end = time()
            self.spans.append((end - duration_secs, end))

    def outermost(self) -> int:
        """Return how many traces did not happen inside another."""
        return sum(
            not any(begin < b and e <= end for begin, end in self.spans if (begin, end) != (b, e))
            for b, e in self.spans
        )


def find_leaks(
    tested: TestedFunction, calls: tuple[Call, ...], under: tuple[str, ...]
) -> tuple[Leak, ...]:
    """Trace the calls under each transformation and look for tracers that are still alive."""
    found: list[Leak] = []
    for call in calls:
        for transformation in under:
            _trace_under(tested, call, transformation)
            found += leaks.live_leaks()
            if found:
                return tuple(found)
    return ()


def _trace_under(tested: TestedFunction, call: Call, transformation: str) -> None:
    """Trace one call under a transformation. Nothing is compiled: a leak happens while tracing."""
    match transformation:
        case "jit":
            tested.jaxpr_anew(call)
        case "grad":
            gradient, moving = tested.scalar_gradient(call)
            jax.eval_shape(gradient, *moving)
        case "vmap":
            args, _, static = tested.positional(call)
            batched = [index for index in range(len(args)) if index not in static]
            of_these, moving = tested.closed(call, tuple(batched))
            jax.eval_shape(lambda *values: jax.vmap(of_these)(*_doubled(values)), *moving)
        case _:
            raise BrokenCheck(f"NoLeak knows no transformation {transformation!r}")


def _doubled(values: Any) -> Any:
    return jax.tree.map(lambda leaf: jnp.stack([leaf] * 2), values)


def type_tree(tested: TestedFunction, call: Call) -> Tree:
    """Describe the types of the answer; only a function that compiles itself is run for it."""
    if tested.jits:
        jaxpr, structure = tested.jaxpr(call)
        return values.abstract_tree(structure, jaxpr.out_avals)
    answer = tested.call(call)
    avals = [jax.typeof(leaf) for leaf in jax.tree.leaves(answer)]
    return values.abstract_tree(jax.tree.structure(answer), avals)


def small_jaxpr(tested: TestedFunction, call: Call, file: str) -> Jaxpr | None:
    """Convert the jaxpr of a call, unless it is large or the function compiles itself."""
    if not tested.jits:
        return None
    jaxpr, _ = tested.jaxpr(call)
    return jaxprs.convert(jaxpr, file) if len(jaxpr.eqns) <= MOST_EQUATIONS else None


def count_equations(
    tested: TestedFunction, calls: tuple[Call, ...], inputs: tuple[str, ...]
) -> dict[str, int]:
    """Count the equations of each call, nested ones too, keyed by the call's place and words."""
    return {
        f"{index}:{text}": jaxprs.count(tested.jaxpr(call)[0])
        for index, (call, text) in enumerate(zip(calls, inputs, strict=True))
    }


def use_keys_once(tested: TestedFunction, calls: tuple[Call, ...]) -> dict[str, Any]:
    """Run the calls with jax's key-reuse checker on; it raises KeyReuseError.

    It knows typed keys only: raw ones become typed on the way in, and `PRNGKey` makes typed ones.
    Where keys are taken from an array in turn, it counts only if one is used twice.
    """
    for call in calls:
        args, kwargs = jax.tree.map(_typed_key, (call.args, call.kwargs))

        def run(args: Any = args, kwargs: Any = kwargs) -> None:
            tested.jit(TraceCounter(tested.function).function)(*args, **kwargs)

        with jax.enable_custom_prng(True):
            try:
                with jax.debug_key_reuse(True):
                    run()
            except jax.errors.KeyReuseError:
                jaxpr, _ = tested.jaxpr_anew(Call(*args, **kwargs))
                if not takes_keys_in_turn(jaxpr) or repeats_a_key(run):
                    raise
    return {}


def _typed_key(leaf: Any) -> Any:
    is_raw = isinstance(leaf, jax.Array) and leaf.dtype == jnp.uint32 and leaf.shape[-1:] == (2,)
    return jax.random.wrap_key_data(leaf) if is_raw else leaf


def shardings(answer: Any) -> list[str]:
    """Describe where each leaf lies: its partition over named axes, and over how many devices."""
    return [_place(leaf) for leaf in jax.tree.leaves(answer)]


def _place(leaf: Any) -> str:
    if not isinstance(leaf, jax.Array):
        return f"outside of JAX, as {type(leaf).__name__}"
    return f"{getattr(leaf.sharding, 'spec', 'one device')} over {len(leaf.sharding.device_set)}"


def run_custom(wanted: words.Custom, tested: TestedFunction) -> str:
    """Run a lesson's own check; its AssertionError is an answer too."""
    if wanted.test is None:
        raise BrokenCheck(f"the check {wanted.name!r} has no test")
    try:
        return wanted.test(tested.function) or ""
    except AssertionError as error:
        return str(error) or wanted.says
