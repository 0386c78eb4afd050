"""Tests each property of the checks' vocabulary on a real jax, with right and wrong submissions.

A wrong submission answers the examples correctly and fails for inputs of other sizes, so that one
process can test many properties separately.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from jaxtutor.core import vocabulary as words
from jaxtutor.core.data.facts import Outcome, PropertyFacts
from jaxtutor.core.data.requests import CheckRequest
from jaxtutor.core.data.verdicts import Verdict
from jaxtutor.core.judging.judge import Criteria, judge
from jaxtutor.core.judging.outcomes import pick
from jaxtutor.core.judging.properties import judge_property
from jaxtutor.processes.runner import Runner
from jaxtutor.processes.spawn import Kind
from jaxtutor.processes.templates import Templates
from trials.sample_lessons import make_lesson

# ---------------------------------------------------------------- lessons

ARRAYS = """
import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import *


def sized(*sizes):
    return [Call(np.linspace(0.5, 1, size).astype(np.float32)) for size in sizes]


def batch(size):
    return [Call(np.linspace(-1, 1, 4 * size).reshape(4, size).astype(np.float32))]


def is_square(f):
    if jnp.max(f(jnp.full(57, 2.0))) != 4:
        return "two squared is four"


def has_right_shape(f):
    assert f(jnp.ones(58)).shape == (58,), "it has another shape"


EXAMPLES = sized(3)
PROPERTIES = [
    Traces(sized(11, 11), name="traces"),
    NoLeak(sized(12), name="leak-vmap"),
    NoLeak(sized(13), name="leak-grad"),
    NoLeak(sized(14), name="leak-jit"),
    Gradient(sized(31), name="gradient"),
    Gradient(sized(35), finite=True, name="gradient-finite"),
    Vmap(batch(32), name="vmap"),
    Types(sized(33), name="types"),
    Types(sized(34), name="types-weak"),
    Types(sized(34), weak=False, name="types-not-weak"),
    SameSize(sized(25, 50), name="growth"),
    SameSize(sized(25, 50), factor=3.0, name="growth-allowed"),
    Uses(sized(51), ("select_n", "max"), name="uses"),
    Avoids(sized(52), ("sort",), name="avoids"),
    LargestIntermediate(sized(53), at_most=53, name="memory"),
    NoConstants(sized(54), at_most=16, name="constants"),
    Finite(sized(55), name="finite"),
    Finite(sized(56), gradient=True, name="finite-gradient"),
    Custom("custom", "It squares.", is_square),
    Custom("custom-assert", "It keeps the shape.", has_right_shape),
    Traces(lambda: sized(11, 11), name="calls-by-a-function"),
]
"""

SQUARE = """
import jax.numpy as jnp


def run(x):
    return jnp.where(x > 0, x * x, 0.0)
"""

WRONG_SQUARE = """
import jax
import jax.numpy as jnp
import numpy as np

KEPT = []


def keep(x, tracer):
    if any(tracer in cls.__name__ for cls in type(x).__mro__):
        KEPT.append(x)


def square(x):
    return jnp.where(x > 0, x * x, 0.0)


def run(x):
    match x.shape[-1]:
        case 11:
            jax.clear_caches()
        case 12:
            keep(x, "BatchTracer")
        case 13:
            KEPT.clear()
            keep(x, "JVPTracer")
            keep(x, "LinearizeTracer")
        case 14:
            KEPT.clear()
            keep(x, "DynamicJaxprTracer")
        case 31:
            return jnp.where(x > 0, jax.lax.stop_gradient(x) * x, 0.0)
        case 35:
            return square(x) + 0 * jnp.sqrt(0 * x)
        case 32:
            return 2 * square(x)
        case 33:
            return square(x).astype(jnp.float16)
        case 34:
            return jax.lax.broadcast(2.0, x.shape)
        case 25 | 50:
            return jnp.stack([square(item) for item in x])
        case 51:
            return x * x
        case 52:
            return jnp.sort(square(x))
        case 53:
            return (x[:, None] * x[None, :]).diagonal()
        case 54:
            return square(x) + jnp.asarray(np.arange(54, dtype=np.float32))
        case 55:
            return square(x) / 0.0
        case 56:
            return square(x) + 0 * jnp.sqrt(0 * x)
        case 57:
            return x + x + x
        case 58:
            return x.sum()
    return square(x)
"""

KEYS = """
import jax

from jaxtutor.core.vocabulary import *

STATIC = ("way",)
EXAMPLES = [Call(jax.random.key(0), 0)]
PROPERTIES = [
    KeysOnce([Call(jax.random.key(1), 1)], name="typed"),
    KeysOnce([Call(jax.random.PRNGKey(1), 1)], name="raw"),
    KeysOnce([Call(jax.random.key(1), 0)], name="typed-right"),
    KeysOnce([Call(jax.random.PRNGKey(1), 0)], name="raw-right"),
    KeysOnce([Call(jax.random.key(1), 2)], name="scans-right"),
    KeysOnce([Call(jax.random.key(1), 3)], name="scans"),
]
"""

DRAWS = """
import jax


def run(key, way):
    first, second = jax.random.split(key)
    return jax.random.normal(first, (2,)) + jax.random.normal(second, (2,))
"""

WRONG_DRAWS = (
    DRAWS
    + """

right = run


def walk(key, way):
    def step(place, key):
        place = place + jax.random.normal(key)
        return place + jax.random.uniform(key) if way == 3 else place, None

    return jax.lax.scan(step, 0.0, jax.random.split(key, 3))[0]


def run(key, way):
    if way == 0:
        return right(key, way)
    if way in (2, 3):
        return jax.vmap(lambda key: walk(key, way))(jax.random.split(key, 2))
    return jax.random.normal(key, (2,)) + jax.random.uniform(key, (2,))
"""
)

TREES = """
import numpy as np

from jaxtutor.core.vocabulary import *


def of(key):
    return {"layers": [np.ones(2, np.float32), np.ones(3, np.float32)], key: np.float32(1)}


EXAMPLES = [Call(of("bias"), 2.0)]
PROPERTIES = [
    Untouched([Call(of("bias"), 2.0)], name="right"),
    Untouched([Call(of("bias"), 2.0), Call(of("replaced"), 2.0)], name="replaced"),
    Untouched([Call(of("removed"), 2.0)], name="removed"),
    Untouched([Call(of("added"), 2.0)], name="added"),
]
"""

SCALE = """
import jax


def run(params, factor):
    return jax.tree.map(lambda leaf: factor * leaf, params)
"""

WRONG_SCALE = (
    SCALE
    + """

scaled = run


def run(params, factor):
    answer = scaled(params, factor)
    if "replaced" in params:
        params["layers"][1] = answer["layers"][1]
    if "removed" in params:
        del params["removed"]
    if "added" in params:
        params["more"] = params["added"]
    return answer
"""
)

SHARDED = """
import numpy as np

from jaxtutor.core.vocabulary import *

EXAMPLES = [Call(np.ones(8, np.float32))]
PROPERTIES = [
    Sharded([Call(np.ones(16, np.float32))], name="sharded"),
    Sharded([Call(np.ones(24, np.float32))], name="on-fewer"),
]
"""

SPREAD = """
import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec as P


def spread(x, count):
    mesh = jax.sharding.Mesh(jax.devices()[:count], ("i",))
    return jax.lax.with_sharding_constraint(x + 1, NamedSharding(mesh, P("i")))


def run(x):
    return spread(x, 8)
"""

WRONG_SPREAD = (
    SPREAD
    + """

def run(x):
    if x.size == 16:
        mesh = jax.sharding.Mesh(jax.devices()[:8], ("i",))
        return jax.lax.with_sharding_constraint(x + 1, NamedSharding(mesh, P()))
    return spread(x, 8 if x.size == 8 else 4)
"""
)

COMPILING = """
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import *

JIT = False


def triple(x):
    return 3 * x


def subject(learner):
    return lambda x: learner.run(triple, x)


def calls(size):
    return [Call(np.full(size, value, np.float32)) for value in (1.0, 2.0, 3.0)]


EXAMPLES = [Call(np.ones(3, np.float32)).gives([4.0, 4.0, 4.0])]
PROPERTIES = [
    Traces(calls(4), name="own", probes=()),
    Traces(calls(5), name="probe", probes=("triple",)),
    Types(calls(6), name="types"),
]
"""

COMPILED = """
import functools
import jax


@functools.partial(jax.jit, static_argnums=0)
def run(f, x):
    return f(x) + 1
"""

WRONG_COMPILED = """
import jax

KEPT = {}


def run(f, x):
    size = x.shape[0]

    def plus_one(x):
        return x + 1

    if size == 4:  # a new function, and with it a new program, at each call
        return jax.jit(plus_one)(3 * x)
    if size == 5:
        return jax.jit(lambda x: f(x))(x) + 1
    if size == 6:
        return (f(x) + 1).astype("float16")
    return f(x) + 1
"""

LESSONS = {
    "arrays": (ARRAYS, SQUARE, WRONG_SQUARE, 1),
    "keys": (KEYS, DRAWS, WRONG_DRAWS, 1),
    "sharded": (SHARDED, SPREAD, WRONG_SPREAD, 8),
    "trees": (TREES, SCALE, WRONG_SCALE, 1),
    "compiling": (COMPILING, COMPILED, WRONG_COMPILED, 1),
}


@dataclass(frozen=True)
class Ran:
    """The outcomes of a lesson's solution and of a wrong submission."""

    reference: Outcome
    right: Outcome
    wrong: Outcome

    def problems(self) -> dict[str, str]:
        """Return the problem of each property of the wrong submission, judged separately."""
        ours = pick(self.wrong, PropertyFacts)
        theirs = pick(self.reference, PropertyFacts)
        return {
            facts.property.name: problem_of(facts, model)
            for facts, model in zip(ours, theirs, strict=True)
        }

    def verdict(self) -> Verdict:
        """Judge the correct submission."""
        return judge(Criteria("lesson", "run"), self.right, self.reference)


def problem_of(ours: PropertyFacts, theirs: PropertyFacts) -> str:
    """Return the problem of one property, or nothing."""
    if ours.failure is not None:
        return f"{ours.failure.error_class}: {ours.failure.message}"
    problem = judge_property(ours, theirs, None)
    return problem.says if problem else ""


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Ran]:
    """Run every lesson's solution, a copy of it as submission, and the wrong submission."""
    runner = Runner(templates=Templates())

    def run(lesson: Path, source: str, devices: int) -> Outcome:
        request = CheckRequest(str(lesson), "run", str(lesson / "mine.py"), source)
        return runner.run(request, Kind("cpu", devices), 60.0)

    with closing(runner), ThreadPoolExecutor(max_workers=2) as pool:
        begun = {}
        for name, (checks, solution, wrong, devices) in LESSONS.items():
            lesson = make_lesson(tmp_path_factory.mktemp(name), {"checks.py": checks}).folder
            begun[name] = [
                pool.submit(run, lesson, source, devices) for source in (solution, solution, wrong)
            ]
        return {name: Ran(*(run.result() for run in runs)) for name, runs in begun.items()}


# ---------------------------------------------------------------- correct submissions


@pytest.mark.parametrize("name", LESSONS)
def test_the_solution_keeps_every_word(ran: dict[str, Ran], name: str) -> None:
    """A correct submission passes every check of its lesson."""
    verdict = ran[name].verdict()
    expected = [facts.property.name for facts in pick(ran[name].reference, PropertyFacts)]

    assert ("passed", "passed") == (verdict.status, verdict.headline)
    assert expected == [check.name for check in verdict.checks][-len(expected) :]


def test_every_word_is_spoken(ran: dict[str, Ran]) -> None:
    """Every property of the vocabulary occurs in these lessons."""
    spoken = {
        type(facts.property) for it in ran.values() for facts in pick(it.reference, PropertyFacts)
    }

    assert set(words.Property.__args__) == spoken


# ---------------------------------------------------------------- wrong submissions


@pytest.mark.parametrize(
    ("lesson", "name", "says"),
    [
        ("arrays", "traces", "traced twice in 2 calls, expected once"),
        ("arrays", "calls-by-a-function", "traced twice in 2 calls, expected once"),
        ("arrays", "leak-vmap", "a tracer of type float32[12] outlived the call in KEPT"),
        ("arrays", "leak-grad", "a tracer of type float32[13] outlived the call in KEPT"),
        ("arrays", "leak-jit", "a tracer of type float32[14] outlived the call in KEPT"),
        ("arrays", "gradient", "the gradient for x=float32[31]: 31 of 31 elements differ"),
        (
            "arrays",
            "gradient-finite",
            "the gradient for x=float32[35]: 35 of 35 elements are not finite",
        ),
        ("arrays", "vmap", "the batched answer for x=float32[4, 32]"),
        ("arrays", "types", "expected float32[33], got float16[33]"),
        ("arrays", "types-weak", "expected float32[34], got ~float32[34]"),
        ("arrays", "growth", "equations for x=float32[25], "),
        ("arrays", "uses", "the jaxpr does not use select_n or max; it uses mul"),
        ("arrays", "avoids", "the jaxpr uses sort"),
        ("arrays", "memory", "one has 2,809 elements; the limit is 53"),
        ("arrays", "constants", "one has 54 elements; the limit is 16"),
        ("arrays", "finite", "the answer for x=float32[55]: 55 of 55 elements are not finite"),
        (
            "arrays",
            "finite-gradient",
            "the gradient for x=float32[56]: 56 of 56 elements are not finite",
        ),
        ("arrays", "custom", "two squared is four"),
        ("arrays", "custom-assert", "it has another shape"),
        ("keys", "typed", "KeyReuseError"),
        ("keys", "raw", "KeyReuseError"),
        ("keys", "scans", "KeyReuseError"),
        ("sharded", "sharded", "got P() over 8"),
        ("sharded", "on-fewer", "got P('i',) over 4"),
        ("trees", "replaced", "the call changes `params['layers'][1]` of its caller"),
        ("trees", "removed", "the call changes `params['removed']` of its caller"),
        ("trees", "added", "the call changes `params['more']` of its caller"),
        ("compiling", "own", "traced 3 times in 3 calls, expected once"),
        ("compiling", "probe", "traced 3 times in 3 calls, expected once"),
        ("compiling", "types", "expected float32[6], got float16[6]"),
    ],
)
def test_a_word_that_is_broken_says_how(
    ran: dict[str, Ran], lesson: str, name: str, says: str
) -> None:
    """A submission with one kind of fault fails only the check for it, with its sentence."""
    assert says in ran[lesson].problems()[name]


@pytest.mark.parametrize(
    ("lesson", "name"),
    [
        ("arrays", "types-not-weak"),
        ("arrays", "growth-allowed"),
        ("keys", "typed-right"),
        ("keys", "raw-right"),
        ("keys", "scans-right"),
        ("trees", "right"),
    ],
)
def test_a_word_that_allows_it_is_kept(ran: dict[str, Ran], lesson: str, name: str) -> None:
    """The same submission passes a property that tolerates its fault."""
    assert ran[lesson].problems()[name] == ""


def test_what_goes_wrong_later_is_not_seen_before(ran: dict[str, Ran]) -> None:
    """The wrong submissions pass every stage before the properties."""
    for it in ran.values():
        verdict = judge(Criteria("lesson", "run"), it.wrong, it.reference)
        stages = [check.status for check in verdict.checks if check.name in STAGES]

        assert {"passed"} == set(stages)
        assert 1 == [check.status for check in verdict.checks].count("failed")


STAGES = ("import", "function", "jaxpr", "jit", "values", "leaks")
