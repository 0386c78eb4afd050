"""Tests of rows: what is evaluated of the rows that a step was trained with."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from textwrap import dedent
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from jaxtutor.core.data.observations import RowsMixed
from jaxtutor.worker.watching import ledger
from jaxtutor.worker.watching.batches import is_multiplied
from observed_program import observe

FILE = "/learner/batches.py"
PRELUDE = """
import jax
import jax.numpy as jnp
import numpy as np

numbers = np.random.default_rng(0)
x = numbers.normal(size=(80, 3)).astype(np.float32)
y = x[:, 0] ** 2

@jax.jit
def step(w, x, y):
    slope = jax.grad(lambda w: jnp.mean((jnp.tanh(x @ w) - y) ** 2))(w)
    return w - 0.1 * slope

def train(rows, epochs=16, size=8):
    w = jnp.ones(3)
    for _ in range(epochs):
        order = numbers.permutation(rows)
        for start in range(0, len(order) - size + 1, size):
            batch = order[start : start + size]
            w = step(w, x[batch], y[batch])
    return w
"""

FOLDS = """
for start in (0, 40):
    w = train(np.arange(start, start + 40))
    fit = x[40 - start :][:40] @ w
"""


@pytest.fixture(autouse=True)
def empty_caches() -> Iterator[None]:
    """Clear jax's caches, so that each test compiles its programs."""
    gc.freeze()  # as the worker does: leaks are looked for among newer objects
    jax.clear_caches()
    yield
    jax.clear_caches()


def said(source: str) -> list[RowsMixed]:
    """Run a program under observation. Return what it says about rows."""
    text = PRELUDE + dedent(source)
    return [it for it in observe(text, FILE) if isinstance(it, RowsMixed)]


def test_rows_that_no_batch_has_are_counted() -> None:
    """Of the rows that are evaluated, those that were in no batch of many epochs are counted."""
    (seen,) = said("w = train(np.arange(72))\nfit = x @ w")
    assert (seen.name, seen.count, seen.among, seen.times) == ("step", 8, 80, 16)
    assert seen.frame is not None
    assert seen.frame.span.line == PRELUDE.count("\n") + 2


def test_a_compiled_evaluation_counts_too() -> None:
    """An array that a compiled function of the learner's multiplies is evaluated."""
    (seen,) = said("fit = jax.jit(lambda w, x: jnp.tanh((x - 1.0) @ w))(train(np.arange(72)), x)")
    assert (seen.count, seen.among) == (8, 80)


@pytest.mark.parametrize(
    "source",
    [
        "w = train(np.arange(80))\nfit = x @ w",  # all of it
        "w = train(np.arange(40))\nfit = x[40:] @ w",  # a part that was held back
        "w = train(np.arange(40))\nfit = x[:32] @ w",  # a part of the batches
        "w = train(80, 6)\nfit = x @ w",  # a few epochs of all of it
        "w = train(np.arange(72), 4)\nfit = x @ w",  # too few epochs to be sure
        "w = train(np.arange(72))\ntop = jnp.take(jnp.asarray(x), jnp.arange(4), axis=0)",
        FOLDS,
    ],
)
def test_arrays_that_are_trained_with_or_held_back_as_a_whole_are_silent(source: str) -> None:
    """All rows of a training, none of them, a few epochs, and folds of their own are right."""
    assert said(source) == []


def test_all_data_in_each_call_are_no_batches() -> None:
    """A training with the same rows in each call may be evaluated with more of them."""
    assert said("w = train(np.arange(40), 30, 40)\nfit = x @ w") == []


def test_a_training_that_is_not_recorded_to_its_end_is_silent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The batches of later calls are unknown, so no row counts as one that was never in any."""
    monkeypatch.setattr(ledger, "MOST_CALLS", 140)
    assert said("w = train(np.arange(72))\nfit = x @ w") == []


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda x, w: (x - 1.0).astype(jnp.bfloat16) @ w, True),
        (lambda x, w: jax.jit(jnp.matmul)(x.reshape(4, 3), w), True),
        (lambda x, w: jax.nn.relu(jnp.sin(w)[:, None] + jnp.ones(4)) @ x, True),
        (lambda x, w: x[0] @ w, False),
        (lambda x, w: x.sum(0) @ w, False),
        (lambda x, w: jnp.take(x, jnp.array([1, 2]), axis=0) @ w, False),
    ],
)
def test_what_is_multiplied_row_by_row_is_recognised(
    function: Callable[..., Any], expected: bool
) -> None:
    """A product with all rows of an input counts, and one with some rows or their sum does not."""
    jaxpr = jax.make_jaxpr(function)(jnp.ones((4, 3)), jnp.ones(3))
    assert is_multiplied(jaxpr.jaxpr, 0) is expected
