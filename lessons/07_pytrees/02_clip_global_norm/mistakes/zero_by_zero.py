# expects: check values
# says: Your answer is NaN for a tree of zeros: 0 / 0. The divisor must not be 0.
"""Divides by the norm first, which is 0 for a tree of zeros."""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, max_norm):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    length = jnp.minimum(norm, max_norm)
    return jax.tree.map(lambda leaf: leaf / norm * length, tree)
