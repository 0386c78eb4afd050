"""Tests of how a state that each call of a step gets again is recognised."""

from __future__ import annotations

from textwrap import dedent

import pytest

from jaxtutor.core.data.observations import Observation, StateRepeated
from observed_program import observe

FILE = "/learner/states.py"
PRELUDE = """
import jax
import jax.numpy as jnp

@jax.jit
def step(weights, averages, x):
    slope = jnp.mean(x, 0) - weights
    after = {name: 0.9 * value + 0.1 * slope for name, value in averages.items()}
    return weights + 0.1 * slope, after, x + weights

@jax.jit
def smoothed(weights, average):
    return weights * 0.9, 0.5 * average + weights

x = jnp.cos(jnp.arange(6.0)).reshape(3, 2)
weights, averages = jnp.zeros(2), {"fast": jnp.zeros(2), "slow": jnp.ones(2)}
average = jnp.ones(2)
"""


def reported(source: str) -> list[Observation]:
    """Run a program under observation, and return the states that it repeats."""
    text = PRELUDE + dedent(source)
    return [it for it in observe(text, FILE) if isinstance(it, StateRepeated)]


@pytest.mark.parametrize(
    ("call", "name", "path"),
    [
        ("weights, new, _ = step(weights, averages, x)", "averages", (1,)),
        ("weights, new = step(weights, averages, x)[:2]", "averages", (1,)),
        ("weights, new = smoothed(weights, average)", "average", (1,)),
        ("weights, new = smoothed(weights, average=average)", "average", (1,)),
    ],
)
def test_a_state_that_all_calls_get_is_seen(call: str, name: str, path: tuple[int, ...]) -> None:
    """The variable of the caller is named, and where its new value is in what the step returns."""
    (seen,) = reported(f"for _ in range(4):\n    {call}")
    assert isinstance(seen, StateRepeated)
    assert (seen.argument, seen.times, seen.path) == (name, 4, path)


@pytest.mark.parametrize(
    "loop",
    [
        "for _ in range(2):\n    weights, new, _ = step(weights, averages, x)",
        "for _ in range(5):\n    weights, averages, _ = step(weights, averages, x)",
        "for _ in range(5):\n    step(weights, averages, x)",
        "for n in range(5):\n    step(weights, averages, x + n)",
        "for _ in range(5):\n    weights, new, _ = step(weights, dict(averages, slow=x[0]), x)",
    ],
)
def test_other_calls_are_not_seen(loop: str) -> None:
    """Few calls, a state that advances, a timing loop, an evaluation and a new state are silent."""
    assert reported(loop) == []


def test_data_of_the_type_of_a_result_is_no_state() -> None:
    """An input that other results are computed from too is not a state of one leaf."""
    assert (
        reported(
            """
            @jax.jit
            def fit(weights, x):
                slope = jnp.mean(x, 0) - weights
                return weights + 0.1 * slope, x - weights

            for _ in range(5):
                weights, rest = fit(weights, x)
            """
        )
        == []
    )
