# expects: traced-bool-in-if at 10
"""Collects them in a Python list."""

import jax.numpy as jnp


def positive_indices(x, size):
    found = []
    for i in range(len(x)):
        if x[i] > 0:
            found.append(i)
    return jnp.array((found + [-1] * size)[:size])
