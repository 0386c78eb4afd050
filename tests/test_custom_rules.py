"""Tests of which rules of `custom_vjp` count as lacking a gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from jaxtutor.worker.watching import custom_rules
from jaxtutor.worker.watching.gradient_flow import LIVE

Rule = Callable[..., Any]


def left_out(primal: Rule, forward: Rule, backward: Rule) -> list[int]:
    """Return the inputs of a function whose gradient its rule leaves out."""
    function = jax.custom_vjp(primal)
    function.defvjp(forward, backward)
    x, y = jnp.array([0.5, 1.0]), jnp.array([2.0, 1.5])
    program = jax.make_jaxpr(lambda x, y: function(jnp.sin(x), jnp.cos(y)).sum())(x, y)
    (use,) = custom_rules.uses(program.jaxpr, [LIVE, LIVE])
    return list(custom_rules._left_out(use))


def product(x: jax.Array, y: jax.Array) -> jax.Array:
    """Return a product."""
    return x * y


def kept(x: jax.Array, y: jax.Array) -> Any:
    """Return a product, and what its rule needs."""
    return x * y, (x, y)


def test_a_missing_gradient_is_found() -> None:
    """A rule that is right for one input and returns None for another lacks a gradient."""
    assert [1] == left_out(product, kept, lambda r, g: (g * r[1], None))


@pytest.mark.parametrize(
    "backward",
    [
        lambda r, g: (g * r[1], g * r[0]),
        lambda r, g: (g, None),
        lambda r, g: (None, None),
    ],
)
def test_other_rules_are_silent(backward: Rule) -> None:
    """A whole rule, one that passes gradients straight through, and one that stops all are left."""
    assert [] == left_out(product, kept, backward)


def test_an_unused_input_may_lack_its_gradient() -> None:
    """An input that the function does not depend on needs no gradient."""
    assert [] == left_out(
        lambda x, y: jnp.sin(x), lambda x, y: (jnp.sin(x), x), lambda x, g: (g * jnp.cos(x), None)
    )
