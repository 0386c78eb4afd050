# expects: check values
# says: Your answer is transposed: rows belong to `Y`. The outer map is the first axis of the
#     answer.
"""Swaps the inner and the outer map."""

import jax
import jax.numpy as jnp


def gram(k, X, Y):
    column = jax.vmap(k, in_axes=(0, None))
    return jax.vmap(column, in_axes=(None, 0))(X, Y)
