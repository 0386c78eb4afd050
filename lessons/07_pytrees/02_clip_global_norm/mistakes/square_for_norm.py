# expects: check values
# says: Your answer compares the square of the norm with the limit. The root is missing.
"""Forgets the root."""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, max_norm):
    norm = sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree))
    factor = max_norm / jnp.maximum(norm, max_norm)
    return jax.tree.map(lambda leaf: leaf * factor, tree)
