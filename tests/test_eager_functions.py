"""Tests of functions that run many times outside of compiled programs."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent

import jax
import pytest

from jaxtutor.core.data.observations import EagerCalls
from jaxtutor.core.diagnosis.engine.findings import find_all
from jaxtutor.worker.watching.eager_functions import ENOUGH
from observed_program import observe

FILE = "/learner/eager.py"
PRELUDE = """
import jax
import jax.numpy as jnp

def chain(x):
    y = x * 2.0 + 1.0 - x / 3.0
    y = y * y - x + jnp.sin(y) * jnp.cos(x)
    return jnp.tanh(y) + y * 0.5 - 1.0
"""


@pytest.fixture(autouse=True)
def empty_caches() -> Iterator[None]:
    """Clear jax's caches, so that each test compiles its programs."""
    jax.clear_caches()
    yield
    jax.clear_caches()


def named(source: str) -> list[EagerCalls]:
    """Run a program under observation, and return what is worth a look of its functions."""
    text = PRELUDE + dedent(source)
    observed = [it for it in observe(text, FILE) if isinstance(it, EagerCalls)]
    certain, looks = find_all(observed, {FILE: text}, {})
    assert not certain
    return observed if looks else []


def test_a_function_that_runs_operation_by_operation_is_named() -> None:
    """A function with operations of its own and in what it calls is named, and not the others."""
    [seen] = named(
        """
        def curve(x):
            return chain(x) + 1.0

        for n in range(120):
            curve(jnp.full(4, n))
        """
    )
    assert seen.name == "curve"
    assert seen.times == ENOUGH


def test_a_function_that_a_loop_calls_is_named_and_not_the_one_around_the_loop() -> None:
    """The rounds of a loop are not calls of the function that the loop stands in."""
    [seen] = named(
        """
        def curve(x):
            return chain(x) + 1.0

        def curves(x):
            return [curve(x[n]) for n in range(120)]

        curves(jnp.ones((120, 4)))
        """
    )
    assert seen.name == "curve"


@pytest.mark.parametrize(
    "source",
    [
        "for n in range(50): chain(jnp.full(4, n))",
        "fast = jax.jit(chain)\nfor n in range(150): fast(jnp.full(4, n))",
        "for n in range(150): chain(jnp.ones(n % 7 + 1))",
        "for n in range(150): jnp.full(4, n) * 2 + 1",
        """
        def walk(x):
            for _ in range(150):
                x = x * 0.5 + 1.0 - x / 3.0 + jnp.sin(x) - jnp.cos(x) * 2.0 + x * x - 1.0
            return x
        walk(jnp.ones(4))
        """,
        """
        total = []
        def noted(x):
            total.append(float(chain(x)[0]))
        for n in range(150): noted(jnp.full(4, n))
        """,
        """
        def chosen(x):
            y = x * 2.0 + 1.0 - x / 3.0 + jnp.sin(x) - jnp.cos(x) * 2.0 + x * x - 1.0
            if y[0] > 0:
                y = -y
            return y
        for n in range(150): chosen(jnp.full(4, n))
        """,
    ],
)
def test_other_functions_are_not_named(source: str) -> None:
    """Few calls, other shapes, a loop, effects and decisions of Python do not count."""
    assert named(source) == []
