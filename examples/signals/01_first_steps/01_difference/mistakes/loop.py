# expects: check equations
"""Loops over the numbers in Python."""

import jax.numpy as jnp


def difference(x):
    return jnp.array([x[i + 1] - x[i] for i in range(len(x) - 1)], x.dtype)
