# expects: check tiny-norm
# says: Your answer is too short for a tiny norm: something was added to the divisor, which is no
#     longer small beside it.
"""Adds a small number to the divisor, and takes at most 1."""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, max_norm):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    factor = jnp.minimum(1.0, max_norm / (norm + 1e-6))
    return jax.tree.map(lambda leaf: leaf * factor, tree)
