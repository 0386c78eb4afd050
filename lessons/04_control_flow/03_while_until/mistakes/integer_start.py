# expects: scan-carry-dtype-change at 15
"""Starts from an integer with a dtype, which the body turns into a float."""

import jax.numpy as jnp
from jax import lax


def newton_sqrt(x, tol):
    def too_far(y):
        return abs(y * y - x) > tol * x

    def improve(y):
        return (y + x / y) / 2

    return lax.while_loop(too_far, improve, jnp.int32(1))
