# expects: while-cond-not-scalar-bool at 10
"""Turns the guess into an array of one element."""

import jax.numpy as jnp
from jax import lax


def newton_sqrt(x, tol):
    def too_far(y):
        return jnp.abs(y * y - x) > tol * x

    def improve(y):
        return (y + x / y) / 2

    return lax.while_loop(too_far, improve, jnp.array([x]))[0]
