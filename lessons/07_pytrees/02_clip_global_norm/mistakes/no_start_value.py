# expects: check values
# says: Your norm is wrong: the first leaf went into the sum as it is, not as the sum of its
#     squares. Give the reduction a start value.
"""Reduces without a start value, so the first leaf is the start."""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, max_norm):
    square = jax.tree.reduce(lambda total, leaf: total + jnp.sum(leaf**2), tree)
    norm = jnp.sqrt(square)
    factor = max_norm / jnp.maximum(norm, max_norm)
    return jax.tree.map(lambda leaf: leaf * factor, tree)
