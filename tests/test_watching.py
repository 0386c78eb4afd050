"""Tests that observing a run changes nothing for the learner and is undone completely."""

from __future__ import annotations

import builtins
import gc
import linecache
import random
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from textwrap import dedent
from types import FrameType, ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from msgspec.structs import replace

from jaxtutor.core.data.observations import KeyReuse, NotFinite, Observation
from jaxtutor.core.diagnosis.engine.findings import find
from jaxtutor.worker.watching.effects_watch import EffectsWatch
from jaxtutor.worker.watching.eval_trace import EvaluationTrace
from jaxtutor.worker.watching.index_watch import IndexWatch
from jaxtutor.worker.watching.instrument import Instrumentation
from jaxtutor.worker.watching.key_uses import MOST_AT_A_PLACE, KeyUses
from jaxtutor.worker.watching.program_walk import Values

OPTIONS: Any = jax.config  # jax does not annotate its options
FILE = "/learner/watched.py"
PRELUDE = "import jax\nimport jax.numpy as jnp\nimport numpy as np\n"


@pytest.fixture(autouse=True)
def empty_caches() -> Iterator[None]:
    """Clear jax's caches, so that each test compiles its programs."""
    gc.freeze()  # as the worker does: leaks are looked for among newer objects
    jax.clear_caches()
    yield
    jax.clear_caches()


def watch(source: str) -> tuple[ModuleType, tuple[Observation, ...]]:
    """Run a program under observation, and return its module and the observations."""
    text = PRELUDE + dedent(source)
    linecache.cache[FILE] = (len(text), None, text.splitlines(keepends=True), FILE)
    module = ModuleType("watched")
    module.__file__ = FILE
    seen = Instrumentation(lambda file: file == FILE)
    with seen:
        exec(compile(text, FILE, "exec"), module.__dict__)
    return module, seen.observations()


def kinds(source: str) -> list[str]:
    """Return the kinds of the observations."""
    return [seen.kind for seen in watch(source)[1]]


def causes_of(source: str) -> list[str | None]:
    """Return the causes that are named for what a program silently does."""
    _, observations = watch(source)
    return [
        found.diagnosis.cause for found in find(observations, {FILE: PRELUDE + dedent(source)}, {})
    ]


def replaced() -> tuple[Any, ...]:
    """Return the functions that an observation replaces."""
    return (
        builtins.print,
        builtins.next,
        np.random.normal,
        np.random.default_rng,
        random.random,
        time.time,
        warnings.warn,
        jax.grad,
        jax.vmap,
        jax.random.normal,
        jax.core.Tracer.item,
        OPTIONS.jax_explain_cache_misses,
        OPTIONS.jax_numpy_rank_promotion,
    )


def test_everything_is_put_back() -> None:
    """After observing, all functions and settings are restored."""
    before = replaced()
    watch("x = 1\n")
    assert before == replaced()


def test_a_watch_of_effects_leaves_jax_alone() -> None:
    """Observing effects only leaves jax's functions and options unchanged."""
    before = (jax.random.normal, jax.grad, jax.vmap, OPTIONS.jax_explain_cache_misses)
    with EffectsWatch(lambda file: file == FILE):
        during = (jax.random.normal, jax.grad, jax.vmap, OPTIONS.jax_explain_cache_misses)
    assert before == during


def test_everything_is_put_back_after_an_exception() -> None:
    """After an exception, all functions are restored."""
    before = replaced()
    with pytest.raises(ZeroDivisionError):
        watch("1 / 0\n")
    assert before == replaced()


def test_a_host_function_is_called_once() -> None:
    """The extra evaluation does not repeat a side effect."""
    module, _ = watch(
        """
        calls = []
        def host(x):
            calls.append(1)
            return np.asarray(x)
        f = jax.jit(lambda x: jax.pure_callback(host, jax.ShapeDtypeStruct((2,), jnp.float32), x))
        y = f(jnp.ones(2)).block_until_ready()
        """
    )
    assert [1] == module.calls


def test_results_are_the_same() -> None:
    """The results of a program do not depend on being observed."""
    source = """
    def f(x):
        y, _ = jax.lax.scan(lambda c, v: (c + v, c), 0.0, x)
        return jax.lax.cond(y > 2, jnp.sin, jnp.cos, y) + jnp.sum(jax.nn.relu(x))
    g = jax.jit(jax.value_and_grad(f))
    value, slope = g(jnp.arange(4.0))
    rows = jax.vmap(f)(jnp.ones((2, 3)))
    """
    module, _ = watch(source)
    plain: dict[str, Any] = {}
    exec(PRELUDE + dedent(source), plain)
    assert plain["value"] == module.value
    assert plain["slope"].tolist() == module.slope.tolist()
    assert plain["rows"].tolist() == module.rows.tolist()


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [
        "x = jnp.arange(4)[jnp.array([0, 3, -1])]\n",
        "f = jax.jit(lambda x, i: jax.lax.dynamic_slice(x, (i,), (2,)))\nf(jnp.arange(5), 3)\n",
        "jax.grad(lambda x: jnp.sum(x**2))(jnp.zeros(2))\n",
        "a, b = jax.random.split(jax.random.key(0))\njax.random.normal(a)\njax.random.normal(b)\n",
        "s = jnp.uint8(100) + jnp.uint8(100)\n",
        "same = jnp.arange(3.0) == jnp.arange(3.0)\n",
        "for n in (2, 3, 4):\n    jax.jit(jnp.sum)(jnp.ones(n))\n",
        "print(jnp.ones(2))\nr = np.random.default_rng(0).normal()\n",
        "def f(x):\n    for _ in range(8):\n        x = x + 1\n    return x\njax.jit(f)(1.0)\n",
        "jax.vmap(lambda w, x: w @ x, in_axes=(None, 0))(jnp.eye(3), jnp.ones((3, 3)))\n",
        "x = jnp.ones((3, 1)) * jnp.ones((1, 3))\n",
        "x = jnp.ones((600, 3))\njax.jit(lambda x: jnp.sum((x[:, None] - x) ** 2))(x)\n",
    ],
)
def test_right_programs_show_nothing(source: str) -> None:
    """Correct programs have no observations."""
    assert [] == kinds(source)


LOOP = """
f = jax.jit(lambda x: (x * 0.999, jnp.mean(jnp.tanh(x @ x @ x))))
x = jnp.full((256, 256), 0.01)
values = []
for i in range(300):
    x, y = f(x)
    {body}
"""


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        ("values.append(float(y))", True),
        ("values.append({'loss': y.item()})", True),
        ("values.append(y)", False),
        ("if i % 100 == 0: values.append(float(y))", False),
        ("values.append(float(y)) if y > 0 else None", False),
        ("x = x * (1 + float(y))", False),
        ("values.append(float(y))\n    if values[-1] < 0: break", False),
        ("y.block_until_ready(); values.append(float(y))", False),
    ],
)
def test_values_that_are_read_in_each_round_are_found(body: str, is_found: bool) -> None:
    """A value that is only collected need not be waited for; one that the loop needs must be."""
    source = PRELUDE + dedent(LOOP).format(body=body)
    _, observations = watch(dedent(LOOP).format(body=body))
    causes = [found.diagnosis.cause for found in find(observations, {FILE: source}, {})]
    assert (["value-read-each-round"] if is_found else []) == causes


def test_reading_a_value_is_unchanged_and_restored() -> None:
    """Observed arrays convert as before, and their class is as it was afterwards."""
    kind = type(jnp.zeros(()))
    before = (kind.__float__, kind.item, kind.__format__)
    module, _ = watch("y = jnp.float32(1.5)\nr = float(y), y.item(), f'{y:.2f}', str(y)\n")
    assert (1.5, 1.5, "1.50", "1.5") == module.r
    assert before == (kind.__float__, kind.item, kind.__format__)


STRAIGHT = "def g(x):\n    return x + jax.lax.stop_gradient(jnp.round(x) - x)\njax.grad(g)(3.2)\n"
STOPPED = "def loss(w, t):\n    return (w - jax.lax.stop_gradient(t)) ** 2\n"


@pytest.mark.parametrize(
    ("source", "is_found"),
    [
        ("jax.grad(jnp.round)(3.2)\njax.grad(lambda x: jnp.round(x))(3.2)\n", True),
        (f"jax.grad(lambda x: jnp.round(x))(3.2)\n{STRAIGHT}", False),
        (f"{STOPPED}jax.grad(loss, argnums=1)(1.0, 2.0)\n", False),
        (f"{STOPPED}jax.grad(lambda w: loss(2.0, w))(1.0)\n", True),
    ],
)
def test_a_zero_gradient_that_is_looked_at_is_no_finding(source: str, is_found: bool) -> None:
    """A gradient that the program stops itself, or passes straight through, may be zero."""
    assert (["zero-gradient"] if is_found else []) == causes_of(source)


WEIGHTS = """
params = {"a": jnp.ones((2, 2)), "b": jnp.full((2, 2), 0.3)}
def step(loss):
    slopes = jax.jit(jax.grad(loss))(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, slopes)
"""
HARD = "step(lambda p: jnp.sum(p['a'] @ (p['b'] > 0.1).astype(float)))\n"
FROZEN = "step(lambda p: jnp.sum(jnp.sin(p['a'] @ jax.lax.stop_gradient(p['b'] @ p['b']))))\n"
TERM = "step(lambda p: jnp.sum(p['a']) + 0.5 * jnp.sum(jax.lax.stop_gradient(p['b']) ** 2))\n"
UNUSED = "step(lambda p: jnp.sum(p['a'] ** 2))\n"
ROUNDED = "step(lambda p: jnp.sum(p['a'] @ jnp.sign(p['b'][0]) * p['b'][1].sum()))\n"
SIGNS = "step(lambda p: jnp.sum(p['a'] @ (jax.lax.stop_gradient(p['b']) * jnp.sign(p['b']))))\n"
ROW = WEIGHTS.replace("(2, 2), 0.3", "2, 0.3")
COUNTER = WEIGHTS.replace("jnp.full((2, 2), 0.3)", "jnp.array(7.0)")
COUNTED = "step(lambda p: jnp.sum(p['a'] ** 2) / (1.0 + jnp.floor(p['b'] / 4.0)))\n"
BY_ENTRY = "def apply(p, g, rate):\n    return {'b': p['b'] - rate * g['b']}\n"
REPORTED = "jax.grad(lambda p: jnp.sum(p['a'] @ jnp.sign(p['b'])))(params)\n"


@pytest.mark.parametrize(
    ("source", "is_found"),
    [
        (WEIGHTS + HARD, True),
        (WEIGHTS + TERM, True),
        (WEIGHTS + SIGNS, True),
        (WEIGHTS + ROUNDED, False),
        (ROW + HARD, True),
        (COUNTER + COUNTED, False),
        (WEIGHTS + FROZEN, False),
        (WEIGHTS + UNUSED, False),
        (WEIGHTS.replace("jax.tree.map", "tuple") + REPORTED, False),
        (WEIGHTS.replace("jax.tree.map", "tuple") + BY_ENTRY + REPORTED, True),
    ],
)
def test_weights_without_a_gradient_are_found(source: str, is_found: bool) -> None:
    """Weights that only a flat operation or a stopped term uses are not trained; frozen ones are
    not meant to be."""
    assert (["zero-gradient"] if is_found else []) == causes_of(source)


LAYERS = "w = jnp.ones(({n}, 3, 3))\n@jax.jit\ndef f(x):\n    for i in range({n}):\n        {body}"
DEEP = "x = jnp.tanh(x @ w[i])\n    return x\nf(jnp.ones(3))\n"
DRAWN = "k, d = jax.random.split(x)\n        x = k\n    return d\nf(jax.random.key(0))\n"


@pytest.mark.parametrize(
    ("rounds", "body", "is_found"),
    [(15, DRAWN, False), (15, DEEP, False), (60, DEEP, True), (60, DRAWN, True)],
)
def test_a_loop_of_a_few_rounds_is_no_finding(rounds: int, body: str, is_found: bool) -> None:
    """A Python loop is reported by its rounds, and not by the operations of each round."""
    found = causes_of(LAYERS.format(n=rounds, body=body))
    assert (["unrolled-loop"] if is_found else []) == found


def test_draws_from_typed_keys_leave_the_rest_to_look_at() -> None:
    """Programs that draw from typed keys do not use up what may be inspected later."""
    draws = "x = [jax.random.normal(jax.random.key(n), (3,)) for n in range(9)]\n"
    assert ["integer-overflow"] == causes_of(f"{draws}y = jnp.full(3, 200, jnp.uint8) * 2\n")


def test_integers_times_floats_do_not_overflow() -> None:
    """A product of integers and floats is computed in floats, in the gradient as well."""
    source = """
bits, w = jnp.array([[200, 3]], jnp.uint8), jnp.array([[0.5], [2.25]])
y = jax.jit(lambda w: bits @ w)(w)
dw = jax.grad(lambda w: jnp.sum(bits @ w))(w)
"""
    assert [] == causes_of(source)


LEARNER = """
class Rule:
    def update(self, w):
        return 0.1 * w
class Learner:
    def __init__(self):
        self.w, self.rule = jnp.ones(2), Rule()
        self.step = jax.jit(self._step)
    def _step(self, w):
        return w - self.rule.update(w)
    def update(self):
        self.w = self.step(self.w)
learner = Learner()
for _ in range(3):
    learner.update()
"""


def test_an_attribute_that_a_compiled_method_does_not_read_may_change() -> None:
    """A method of another object with the name of an own method reads no attribute of `self`."""
    assert [] == causes_of(LEARNER)


CELL = "scale = 2.0\nf = jax.jit(lambda x: x * scale)\nf(1.0)\nscale = 3.0\n"
NAMED = """
scale = 2.0
def g(x):
    return x * scale
f = jax.jit(g)
f(1.0)
scale = 3.0
"""
ROUNDS = """
for scale in (2.0, 3.0):
    @jax.jit
    def f(x):
        return x * scale
    f(1.0)
"""


@pytest.mark.parametrize(
    ("source", "is_found"),
    [
        (CELL + "f(1.0)\n", True),
        (CELL + "f = jax.jit(lambda x: x * scale)\nf(1.0)\n", False),
        (CELL + "def run():\n    return f(1.0)\nrun()\n", True),
        (NAMED + "f = jax.jit(g)\nf(1.0)\n", True),
        (NAMED + "def g(x):\n    return x * scale\nf = jax.jit(g)\nf(1.0)\n", False),
        (ROUNDS, False),
        (ROUNDS + "scale = 4.0\nf(1.0)\n", True),
    ],
)
def test_a_function_that_is_made_again_is_not_stale(source: str, is_found: bool) -> None:
    """A function that is defined again after a change reads the new value; an old one does not."""
    assert (["stale-global"] if is_found else []) == causes_of(source)


SAMPLER = """
def draws(key, kernel, steps):
    @jax.jit
    def step(state, key):
        state = kernel(key, state)
        return state, state
    return jax.lax.scan(step, jnp.zeros(3), jax.random.split(key, steps))[1]

for n, kernel in enumerate({kernels}):
    draws(jax.random.key(n), kernel, 5)
"""
MADE_FOR_EACH = """
for rule in {rules}:
    @jax.jit
    def step(x):
        return rule(x)
    x = jnp.ones(3)
    for _ in range({steps}):
        x = step(x)
"""


@pytest.mark.parametrize(
    "source",
    [
        SAMPLER.format(kernels="[lambda k, s: s + jax.random.normal(k, (3,))] * 4"),
        MADE_FOR_EACH.format(rules="(jnp.sin, jnp.tanh, jnp.square, jnp.exp)", steps=3),
        MADE_FOR_EACH.format(rules="[lambda x, a=a: a * x for a in (1.0, 2.0, 3.0)]", steps=3),
        "for f in (jnp.sin, jnp.cos, jnp.tanh, jnp.exp):\n    jax.jit(lambda x: f(x) + 1)(1.0)\n",
    ],
    ids=["in a scan", "different programs", "a sweep", "different functions"],
)
def test_functions_that_are_not_made_in_vain_are_no_finding(source: str) -> None:
    """A function may be created again for another program, a loop, or inside another program."""
    assert [] == causes_of(source)


@pytest.mark.parametrize(
    ("numbers", "encoded", "loss", "is_found"),
    [
        ("[0, 2, 3, 1]", "digits", "rows * jax.nn.log_softmax(jnp.ones(3))", True),
        ("[1, 2, 3, 1]", "numbers", "rows", True),
        ("[0, 2, 1, 2]", "digits", "rows * jax.nn.log_softmax(jnp.ones(3))", False),
        ("[0, 2, -1, 1]", "digits", "rows * jax.nn.log_softmax(jnp.ones(3))", False),
        ("[0, 2, 3, 1]", "labels", "rows @ jnp.ones(3)", False),
        ("[0, 2, 5, 1]", "or_padding", "rows * jax.nn.log_softmax(jnp.ones(3))", False),
    ],
)
def test_classes_that_a_one_hot_encoding_lacks_are_found(
    numbers: str, encoded: str, loss: str, is_found: bool
) -> None:
    """A class of a loss that is not encoded is found; other numbers need not fit.

    Classes that begin at 1 are found without a loss. Padding is to be left out.
    """
    source = f"{encoded} = jnp.array({numbers})\nrows = jax.nn.one_hot({encoded}, 3)\n{loss}\n"
    assert (["out-of-bounds-clamped"] if is_found else []) == causes_of(source)


EXPERIMENTS = """
def experiment(seed):
    key, sub = jax.random.split(jax.random.key(seed))
    a = jax.random.normal(sub)
    return a
for k in jax.random.split(jax.random.key(0), 3):
    jax.random.uniform(k)
experiment(0)
"""


def test_keys_that_come_from_the_same_seed_twice_are_no_finding() -> None:
    """Keys that were split from equal seeds are equal, and belong to separate experiments."""
    assert [] == causes_of(EXPERIMENTS)
    again = "\nkey = jax.random.key(0)\njax.random.normal(key)\njax.random.uniform(key)\n"
    assert ["prng-key-reuse"] == causes_of(EXPERIMENTS + again)


HELPERS = """
def noise(key, n):
    return jax.random.normal(key, (n,))
def line(x):
    return x + 1
def curve(x):
    return x ** 2
def fit(model, key, rows=3):
    return model(noise(key, rows))
key = jax.random.key(0)
"""


@pytest.mark.parametrize(
    ("first", "second", "is_found"),
    [
        ("noise(key, 3)", "noise(key, 4)", True),
        ("noise(key, 3)", "noise(key, 3)", False),
        ("fit(line, key)", "fit(curve, key)", False),
        ("fit(line, key, rows=3)", "fit(line, key, rows=5)", False),
        ("noise(key, 3)", "fit(line, key)", False),
    ],
)
def test_one_key_for_two_calls_is_found_unless_they_are_compared(
    first: str, second: str, is_found: bool
) -> None:
    """One key for two kinds of data is reuse; equal calls, and two models, are comparable."""
    causes = causes_of(f"{HELPERS}a = {first}\nb = {second}\n")
    assert (["prng-key-reuse"] if is_found else []) == causes


@pytest.mark.parametrize(
    ("first", "second", "is_split"),
    [
        ("normal(key)", "split(key)", True),
        ("split(key)", "normal(key)", False),
        ("split(key)", "split(key, 3)", False),
        ("normal(key)", "uniform(key)", False),
    ],
)
def test_a_key_that_is_split_after_a_draw_has_words_of_its_own(
    first: str, second: str, is_split: bool
) -> None:
    """Splitting a key after a draw is reuse by JAX's rule, though it rarely shows."""
    source = f"key = jax.random.key(3)\njax.random.{first}\njax.random.{second}\n"
    seen = [s.is_split for s in watch(source)[1] if isinstance(s, KeyReuse)]
    assert [is_split] == seen


@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("jax.lax.dynamic_slice(x, (i,), (3,))", ["slice_moved"]),
        ("jnp.sum(x[i + 2])", ["slice_moved"]),
        ("jnp.take(x, jnp.array([0, 2]) + i)", ["out_of_bounds"]),
        ("jnp.sum(jax.lax.dynamic_slice(x, (i % 3,), (3,)))", []),
    ],
)
def test_indices_of_later_calls_are_looked_at(call: str, found: list[str]) -> None:
    """An index that leaves an array in a later call of a compiled program is observed."""
    source = f"f = jax.jit(lambda x, i: {call})\nfor i in range(4):\n    f(jnp.arange(5.0), i)\n"
    seen = {s.kind for s in watch(source)[1]} & {"slice_moved", "out_of_bounds"}
    assert set(found) == seen


def test_a_program_with_lookups_is_evaluated_once() -> None:
    """Following the indices of a program does not compile or trace it again."""
    module, _ = watch(
        """
        traces = []
        @jax.jit
        def f(x, i):
            traces.append(i)
            return x[i]
        values = [f(jnp.arange(400.0), i).tolist() for i in range(300)]
        """
    )
    assert 1 == len(module.traces)
    assert [float(i) for i in range(300)] == module.values


def test_draws_of_one_call_are_looked_at_a_hundred_times() -> None:
    """The draws of a long loop are left alone; another call is still looked at."""
    loop = "key = jax.random.key(0)\nfor i in range(150):\n    key, sub = jax.random.split(key)\n"
    looked: list[int] = []
    original = KeyUses.follow

    def follow(self: KeyUses, key: Any, caller: FrameType) -> None:
        looked.append(caller.f_lineno)
        original(self, key, caller)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(KeyUses, "follow", follow)
        causes = causes_of(loop + "jax.random.normal(sub)\njax.random.uniform(sub)\n")
    assert ["prng-key-reuse"] == causes
    assert MOST_AT_A_PLACE == max(Counter(looked).values())


def test_of_the_calls_of_a_program_ever_fewer_are_evaluated() -> None:
    """Of 20 calls of a program with an effect, the first four, the 8th and the 16th are."""
    source = """
    f = jax.jit(lambda x: (jax.debug.callback(lambda v: None, x), x + 1)[1])
    for i in range(20):
        f(9.0)
    """
    later: list[bool] = []
    original = EvaluationTrace._look_into

    def look_into(
        self: EvaluationTrace, closed: Any, args: Any, name: str, is_later: bool
    ) -> Values:
        later.append(is_later)
        return original(self, closed, args, name, is_later)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EvaluationTrace, "_look_into", look_into)
        watch(source)
    assert later == [False, *[True] * 5]


def test_a_hot_loop_of_single_operations_is_left_alone() -> None:
    """After a while the operations of a loop are not intercepted, until something new compiles."""
    module, observations = watch(
        """
        from jax._src.core import EvalTrace
        x = jnp.ones(3)
        observed = EvalTrace.process_primitive
        for i in range(1200):
            x = jax.lax.sin(x)
        left_alone = EvalTrace.process_primitive
        i = jnp.arange(4)[jnp.array([1, 9])]
        y = jnp.arange(5)[jnp.array([7])]
        """
    )
    assert module.observed is not module.left_alone
    assert "out_of_bounds" in [seen.kind for seen in observations]


def test_a_compiled_function_that_takes_a_key_and_compares_runs_to_its_end() -> None:
    """The dtype of a key has no kind, which the search for comparisons has to allow."""
    closed = jax.make_jaxpr(lambda key, x: x == 1)(jax.random.key(0), 2.0)
    watched = IndexWatch(lambda *_: None, lambda _: False)
    assert not watched.take(closed, [])


def test_a_hot_loop_of_compiled_calls_returns_to_the_fast_path_of_jax() -> None:
    """Lookups of a compiled function are followed for some calls; later ones skip Python."""
    module, _ = watch(
        """
        from jax._src import pjit

        @jax.jit
        def look_up(table, i):
            return table[i]

        table, calls = jnp.arange(4.0), []
        for i in range(300):
            look_up(table, i % 4)
        original = pjit._get_fastpath_data

        def get_fastpath_data(*args):
            calls.append(1)
            return original(*args)

        pjit._get_fastpath_data = get_fastpath_data
        for i in range(20):
            look_up(table, i % 4)
        pjit._get_fastpath_data = original
        """
    )
    assert len(module.calls) <= 1


CLOCK = """
clock = jnp.float32({start})
for _ in range(30):
    clock = clock + {step}
"""


@pytest.mark.parametrize(
    ("start", "step", "expected"),
    [("1e6", "jnp.float32(0.01)", ["addition-lost"]), ("0.0", "0.01", [])],
)
def test_a_total_that_stays_the_same_outside_jit_is_found(
    start: str, step: str, expected: list[str]
) -> None:
    """A total that a Python loop adds to is followed, and one that grows is right."""
    assert expected == causes_of(CLOCK.format(start=start, step=step))


def test_a_series_and_a_small_number_against_zero_are_right() -> None:
    """Terms that get smaller, and a number that each round adds to another sum, are meant."""
    source = """
    total = jnp.float32(0)
    for n in range(60):
        total = total + jnp.float32(0.5) ** n
        s = jnp.sum(jnp.ones(3))
        s = s + 1e-12
    """
    assert [] == causes_of(source)


OVERFLOWING = """
    @jax.jit
    def step(x):
        return 60 + x, jnp.log(jnp.sum(jnp.exp(x)))

    x = jnp.zeros(2)
    for _ in range(4):
        x, y = step(x)
    {}
"""
"""A program of which only the third call overflows."""


def test_an_infinity_of_a_later_call_is_followed_to_what_overflows() -> None:
    """Later calls of a compiled program are evaluated as well."""
    _, observations = watch(OVERFLOWING.format("print(y)"))
    assert [NotFinite("exp(120) is inf")] == [
        replace(seen, frame=None) for seen in observations if isinstance(seen, NotFinite)
    ]


@pytest.mark.parametrize(
    ("printing", "expected"),
    [
        ("print(y)", ["result-not-finite"]),
        ("print(f'{y:.2f}')", ["result-not-finite"]),
        ("print(x)", []),
        ("print('inf')", []),
        ("best = jnp.inf; print(best)", []),
    ],
)
def test_a_printed_infinity_is_followed_to_what_may_overflow(
    printing: str, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A call that was not evaluated overflows; a chosen infinity is not a result."""
    monkeypatch.setattr(EvaluationTrace, "_is_sampled", lambda *_: False)
    assert expected == causes_of(OVERFLOWING.format(printing))
