"""Counts the rounds as well, and stops after a hundred."""

import jax.numpy as jnp
from jax import lax


def newton_sqrt(x, tol):
    def go_on(carry):
        y, count = carry
        return (jnp.abs(y**2 - x) > tol * x) & (count < 100)

    def improve(carry):
        y, count = carry
        return 0.5 * (y + x / y), count + 1

    y, _ = lax.while_loop(go_on, improve, (x, 0))
    return y
