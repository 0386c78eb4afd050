"""Tests of the ledger: what a run shows by the identity of the leaves that functions are given."""

from __future__ import annotations

import gc
import linecache
from collections.abc import Iterator
from textwrap import dedent
from types import ModuleType

import jax
import pytest

from jaxtutor.core.data.observations import (
    CameApart,
    EqualMembers,
    MovedWithoutGradient,
    NeverChanged,
    Observation,
    OtherCopyTrained,
    StateRestarted,
    SumUsedEarly,
)
from jaxtutor.worker.watching.instrument import Instrumentation

FILE = "/learner/ledger.py"
OF_LEDGER = (
    CameApart,
    EqualMembers,
    MovedWithoutGradient,
    NeverChanged,
    OtherCopyTrained,
    StateRestarted,
    SumUsedEarly,
)
PRELUDE = """
import jax
import jax.numpy as jnp

def loss(params, x):
    return jnp.mean((jnp.tanh(x @ params["first"]) @ params["second"] - 1.0) ** 2)

def descend(params, grads):
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)

def start():
    return {"first": jnp.sin(jnp.arange(6.0)).reshape(3, 2), "second": jnp.array([0.3, 0.4])}

x = jnp.cos(jnp.arange(12.0)).reshape(4, 3)
"""


@pytest.fixture(autouse=True)
def empty_caches() -> Iterator[None]:
    """Clear jax's caches, so that each test compiles its programs."""
    gc.freeze()  # as the worker does: leaks are looked for among newer objects
    jax.clear_caches()
    yield
    jax.clear_caches()


def watch(source: str) -> tuple[ModuleType, list[Observation]]:
    """Run a program under observation. Return its module, and what the ledger says."""
    text = PRELUDE + dedent(source)
    linecache.cache[FILE] = (len(text), None, text.splitlines(keepends=True), FILE)
    module = ModuleType("watched")
    seen = Instrumentation(lambda file: file == FILE)
    with seen:
        exec(compile(text, FILE, "exec"), module.__dict__)
    return module, [it for it in seen.observations() if isinstance(it, OF_LEDGER)]


def said(source: str) -> list[Observation]:
    """Return what the ledger says of a program."""
    return watch(source)[1]


CUT = """
@jax.jit
def step(params, x):
    cut = lambda p: {"first": jnp.round(p["first"]), "second": p["second"]}
    return descend(params, jax.grad(lambda p: loss(cut(p), x))(params))

params = start()
for _ in range(ROUNDS):
    params = step(params, x)
"""


def test_a_leaf_that_stays_while_others_change_is_named() -> None:
    """A parameter with its first value after several steps is named with its path."""
    (seen,) = said(CUT.replace("ROUNDS", "8"))
    assert isinstance(seen, NeverChanged)
    assert (seen.names, seen.count, seen.among) == (("params['first']",), 1, 2)
    assert seen.times == 8


def test_a_few_rounds_say_nothing() -> None:
    """A parameter that stays for four steps is not named."""
    assert said(CUT.replace("ROUNDS", "4")) == []


def test_a_leaf_that_changes_late_is_not_named() -> None:
    """A parameter that is released after sixty steps has changed at the end of the run."""
    assert (
        said(
            """
            @jax.jit
            def step(params, count, x):
                grads = jax.grad(loss)(params, x)
                grads["first"] = grads["first"] * (count > 60)
                return descend(params, grads), count + 1

            params, count = start(), 0
            for _ in range(128):
                params, count = step(params, count, x)
            """
        )
        == []
    )


def test_parameters_outside_of_a_compiled_step_are_followed() -> None:
    """A gradient that is computed at once shows its parameters too."""
    (seen,) = said(
        """
        params = start()
        for _ in range(8):
            grads = jax.grad(lambda p: loss({**p, "first": jnp.round(p["first"])}, x))(params)
            params = descend(params, grads)
        """
    )
    assert isinstance(seen, NeverChanged)


def test_what_another_function_changes_is_not_named() -> None:
    """A parameter that a second stage trains counts as trained."""
    assert (
        said(
            """
            def stage(name):
                @jax.jit
                def step(params, x):
                    grads = jax.grad(loss)(params, x)
                    return {**params, name: params[name] - 0.1 * grads[name]}
                return step

            params = start()
            for name in ("first", "second"):
                step = stage(name)
                for _ in range(8):
                    params = step(params, x)
            """
        )
        == []
    )


SCALED = """
@jax.jit
def step(params, count, x):
    grads = jax.grad(loss)(params, x)
    return jax.tree.map(lambda p, g: p - RATE * g, params, grads), count + 1

params, count = start(), 0
for _ in range(12):
    params, count = step(params, count, x)
"""


def test_a_tree_that_a_step_returns_as_it_was_is_named() -> None:
    """Parameters that all kept their first value, in new arrays, are named."""
    (seen,) = said(SCALED.replace("RATE", "0.1 * (count // 100)"))
    assert isinstance(seen, NeverChanged)
    assert (seen.count, seen.among, seen.times) == (2, 2, 8)


def test_a_tree_that_is_released_later_is_not_named() -> None:
    """Parameters that change after a warm-up of six steps are not named."""
    assert said(SCALED.replace("RATE", "0.1 * (count // 6)")) == []


TIED = """
@jax.jit
def step(params):
    grads = jax.grad(lambda p: jnp.sum((jnp.tanh(x @ p["into"]) @ p["out"].T - x) ** 2))(params)
    return descend(params, grads)

table = jnp.sin(jnp.arange(6.0)).reshape(3, 2)
params = {"into": table, "out": OTHER}
for _ in range(8):
    params = step(params)
"""


def test_one_array_in_two_places_that_parts_is_named() -> None:
    """Two leaves that were one array at first, and got updates of their own, are named."""
    (seen,) = said(TIED.replace("OTHER", "table"))
    assert isinstance(seen, CameApart)
    assert (seen.first, seen.second) == ("params['into']", "params['out']")


def test_two_arrays_that_part_are_not_named() -> None:
    """Leaves that only begin with the same values are two arrays."""
    assert said(TIED.replace("OTHER", "table.copy()")) == []


COPIED = """
@jax.jit
def step(state, params, x):
    return descend(state, jax.grad(loss)(params, x))

state = start()
params = jax.tree.map(jnp.copy, FROM)
for _ in range(12):
    state = step(state, params, x)
"""


def test_an_updated_copy_that_nothing_reads_is_named() -> None:
    """A gradient of a tree that stays, and updates of its copy, are named."""
    (seen,) = said(COPIED.replace("FROM", "state"))
    assert isinstance(seen, OtherCopyTrained)
    assert (seen.name, seen.argument, seen.times) == ("params", "state", 12)


def test_a_sum_of_gradients_is_not_a_copy() -> None:
    """A tree that gradients are added to, and that began with other values, is not named."""
    assert said(COPIED.replace("FROM", "{k: 2 * v for k, v in state.items()}")) == []


MOMENTUM = """
@jax.jit
def step(params, velocity, x):
    grads = jax.grad(loss)(params, x)
    velocity = jax.tree.map(lambda v, g: 0.9 * v + g, velocity, grads)
    return descend(params, velocity), velocity

params = start()
for _ in range(5):
    velocity = jax.tree.map(jnp.zeros_like, params)
    for _ in range(4):
        params, velocity = step(PARAMS, velocity, x)
"""


def test_a_state_that_begins_again_is_named() -> None:
    """The averages of an optimizer that are zero again, while the parameters go on, are named."""
    (seen,) = said(MOMENTUM.replace("PARAMS", "params"))
    assert isinstance(seen, StateRestarted)
    assert (seen.name, seen.argument, seen.times, seen.calls) == ("velocity", "params", 4, 20)


def test_parameters_that_begin_again_too_start_another_problem() -> None:
    """A state that begins again together with its parameters is not named."""
    source = MOMENTUM.replace("PARAMS", "params").replace(
        "    velocity = jax.tree", "    params = start()\n    velocity = jax.tree"
    )
    assert said(source) == []


def test_a_table_that_only_decays_is_named() -> None:
    """A leaf with a constant zero as its gradient, and that shrinks in each step, is named."""
    (seen,) = said(
        """
        @jax.jit
        def step(params, x):
            stop = lambda p: {**p, "first": jax.lax.stop_gradient(p["first"])}
            grads = jax.grad(lambda p: loss(stop(p), x))(params)
            return jax.tree.map(lambda p, g: 0.99 * p - 0.1 * g, params, grads)

        params = start()
        for _ in range(8):
            params = step(params, x)
        """
    )
    assert isinstance(seen, MovedWithoutGradient)
    assert seen.name == "params['first']"


def test_a_soft_update_is_not_decay() -> None:
    """A target network in the same tree, which follows the others, is not named."""
    assert (
        said(
            """
            @jax.jit
            def step(params, x):
                def both(p):
                    return loss(p["now"], x) - jax.lax.stop_gradient(loss(p["then"], x))
                grads = jax.grad(both)(params)
                now = descend(params["now"], grads["now"])
                then = jax.tree.map(lambda t, p: 0.9 * t + 0.1 * p, params["then"], now)
                return {"now": now, "then": then}

            params = {"now": start(), "then": start()}
            for _ in range(8):
                params = step(params, x)
            """
        )
        == []
    )


SUMMED = """
@jax.jit
def step(params, total, count, x):
    total = jax.tree.map(jnp.add, total, jax.grad(loss)(params, x))
    is_full = DUE
    params = jax.lax.cond(is_full, lambda: descend(params, total), lambda: params)
    return params, jax.tree.map(lambda t: jnp.where(is_full, 0.0, t), total), count + 1

params, total, count = start(), jax.tree.map(jnp.zeros_like, start()), 0
for n in range(18):
    params, total, count = step(params, total, count, x + n)
"""


def test_a_sum_that_is_used_sooner_the_first_time_is_named() -> None:
    """A sum of gradients that is cleared after one call, and then after every fourth, is named."""
    (seen,) = said(SUMMED.replace("DUE", "count % 4 == 0"))
    assert isinstance(seen, SumUsedEarly)
    assert (seen.name, seen.first, seen.times, seen.left) == ("total", 1, 4, 1)


def test_a_sum_that_is_used_evenly_is_not_named() -> None:
    """A sum that every fourth call uses, from the fourth on, is not named."""
    assert said(SUMMED.replace("DUE", "(count + 1) % 4 == 0")) == []


def test_a_sum_that_is_used_when_it_is_large_is_not_named() -> None:
    """A sum that is used after other numbers of calls each time is not named."""
    assert said(SUMMED.replace("DUE", "jnp.sin(count * count) > 0.0")) == []


def test_donated_parameters_give_the_same_results() -> None:
    """Buffers that are donated are still taken over, and the results are the same to the bit."""
    source = """
        import functools

        @functools.partial(jax.jit, donate_argnums=0)
        def step(params, x):
            return descend(params, jax.grad(loss)(params, x))

        params = start()
        for _ in range(8):
            before, params = params, step(params, x)
    """
    module, seen = watch(source)
    plain = ModuleType("plain")
    exec(compile(PRELUDE + dedent(source), FILE, "exec"), plain.__dict__)
    assert seen == []
    assert module.before["first"].is_deleted()
    assert (module.params["first"] == plain.params["first"]).all()


def test_arrays_are_not_kept_alive() -> None:
    """The parameters of earlier steps are freed while the run is observed."""
    module, _ = watch(
        """
        import gc, weakref

        step = jax.jit(lambda params, x: descend(params, jax.grad(loss)(params, x)))
        params, earlier = start(), []
        for _ in range(8):
            earlier.append(weakref.ref(params["first"]))
            params = step(params, x)
        gc.collect()
        alive = sum(ref() is not None for ref in earlier[1:])
        """
    )
    assert module.alive == 0


@pytest.mark.parametrize(
    ("made", "given", "found"),
    [
        ("jnp.stack([p] * 4)", "x", [("params['first']", 4, 2)]),
        ("jnp.stack([p + 0.01 * n for n in range(4)])", "x", []),
        ("jnp.ones((4, *p.shape))", "x", []),
        ("jnp.stack([p] * 4)", "x + n", []),
    ],
)
def test_members_that_stay_equal_are_found(
    made: str, given: str, found: list[tuple[str, int, int]]
) -> None:
    """Entries that are equal at first and after the training are found; others come apart."""
    source = f"""
    @jax.jit
    def step(params):
        grads = jax.vmap(lambda p, n: jax.grad(loss)(p, {given}))(params, jnp.arange(4.0))
        return descend(params, grads)

    params = jax.tree.map(lambda p: {made}, start())
    for _ in range(6):
        params = step(params)
    """
    seen = [it for it in said(source) if isinstance(it, EqualMembers)]
    assert found == [(it.name, it.count, it.times) for it in seen]
