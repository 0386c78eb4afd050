"""Tests of loops outside of compiled functions that JAX compiles again in each call."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent

import jax
import pytest

from jaxtutor.core.data.observations import LoopCompiledAgain
from observed_program import observe

FILE = "/learner/loops.py"
PRELUDE = """
import jax
import jax.numpy as jnp

def solver(start, limit, step):
    return jax.lax.while_loop(lambda x: x < limit, lambda x: x + step, start)

def double(x):
    return 2 * x

def halve(x):
    return x / 2

def add(total, x):
    return total + x, total
"""


@pytest.fixture(autouse=True)
def empty_caches() -> Iterator[None]:
    """Clear jax's caches, so that each test compiles its loops."""
    jax.clear_caches()
    yield
    jax.clear_caches()


def said(source: str) -> list[LoopCompiledAgain]:
    """Run a program under observation, and return the loops that were compiled several times."""
    text = PRELUDE + dedent(source)
    return [it for it in observe(text, FILE) if isinstance(it, LoopCompiledAgain)]


@pytest.mark.parametrize(
    "call",
    [
        "solver(0.0, 5.0, 1.0)",
        "jax.lax.scan(lambda c, x: (c + x, c), 0.0, jnp.ones(3))",
        "jax.lax.cond(True, lambda x: x + 1, lambda x: x - 1, 2.0)",
        "jax.lax.switch(_ % 2, [lambda x: x * x, double], 2.0)",
    ],
)
def test_a_loop_with_new_functions_is_counted(call: str) -> None:
    """A loop whose functions are made again each time is compiled as often as it runs."""
    (seen,) = said(f"for _ in range(6):\n    {call}\n")
    assert seen.times == 6


RIGHT = {
    "the same functions": "for _ in range(6):\n    jax.lax.scan(add, 0.0, jnp.ones(3))\n",
    "compiled": "run = jax.jit(lambda x: solver(x, 5.0, 1.0))\nfor _ in range(6):\n    run(0.0)\n",
    "a few times": "for _ in range(3):\n    solver(0.0, 5.0, 1.0)\n",
    "the same branches": "for n in range(6):\n    jax.lax.cond(n > 2, double, halve, 3.0)\n",
    "branches in another order": (
        "for n in range(6):\n"
        "    jax.lax.switch(0, [(double, halve)[n % 2], (halve, double)[n % 2]], 3.0)\n"
    ),
    "compiled branches": (
        "run = jax.jit(lambda p, x: jax.lax.cond(p, lambda y: y + 1, lambda y: y - 1, x))\n"
        "for n in range(6):\n    run(n > 2, 3.0)\n"
    ),
    "other shapes": "for n in range(1, 7):\n    jax.lax.scan(add, 0.0, jnp.ones(n))\n",
    "one of two": (
        "other = lambda c, x: (c * x, c)\n"
        "for n in range(8):\n    jax.lax.scan((add, other)[n % 2], 0.0, jnp.ones(3))\n"
    ),
}


@pytest.mark.parametrize("source", RIGHT.values(), ids=RIGHT)
def test_a_loop_whose_program_is_kept_is_not_counted(source: str) -> None:
    """Loops of the same functions, within a compiled one, or of other shapes say nothing."""
    assert said(source) == []
