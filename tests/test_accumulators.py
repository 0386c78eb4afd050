"""Tests of how sums of gradients, and the updates made with them, are recognised."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import pytest

from jaxtutor.worker.watching.accumulators import _factor, _step_with

START, ADDED = jnp.array([1.0, 2.0, -1.0]), jnp.array([0.5, -1.0, 2.0])


@pytest.mark.parametrize(
    ("result", "factor"),
    [
        (START + ADDED, 1.0),
        (START + ADDED / 4, 0.25),
        (START - 0.1 * ADDED, -0.1),
        (0.9 * START + ADDED, 0.0),
        (START + ADDED**2, 0.0),
        (START, 0.0),
    ],
)
def test_an_addition_is_recognised_by_its_numbers(result: jax.Array, factor: float) -> None:
    """The factor of an addition is found, and a decaying average is not an addition."""
    assert pytest.approx(factor, abs=1e-5) == _factor(START, ADDED, result)


def test_parallel_operands_say_nothing() -> None:
    """Operands of one direction could come from a decaying average, so they are not a sum."""
    assert _factor(START, 2 * START, 3 * START) == 0.0


def test_a_program_that_steps_along_an_input_is_recognised() -> None:
    """A program that moves one input along another is an update; one that adds them is a sum."""
    step = jax.make_jaxpr(jax.jit(lambda p, g: (p - 0.1 * g, g.sum())))(START, ADDED)
    total = jax.make_jaxpr(jax.jit(lambda t, g: t + g / 4))(START, ADDED)
    assert _step_with(step.jaxpr, 1) is not None
    assert _step_with(step.jaxpr, 0) is None
    assert _step_with(total.jaxpr, 0) is None
