# expects: check values
# says: Your answer maps twice over the same argument, and so takes single numbers out of `Y`.
#     Each map should share the other argument.
"""Shares the same argument twice."""

import jax
import jax.numpy as jnp


def gram(k, X, Y):
    row = jax.vmap(k, in_axes=(None, 0))
    return jax.vmap(row, in_axes=(None, 0))(X, Y)
