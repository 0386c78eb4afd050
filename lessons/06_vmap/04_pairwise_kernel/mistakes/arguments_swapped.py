# expects: check values
# says: Your answer has `k(Y[j], X[i])` at `[i, j]`. `k` need not be symmetric, so the order of
#     its arguments matters.
"""Calls the function with its arguments swapped."""

import jax
import jax.numpy as jnp


def gram(k, X, Y):
    row = jax.vmap(lambda x, y: k(y, x), in_axes=(None, 0))
    return jax.vmap(row, in_axes=(0, None))(X, Y)
