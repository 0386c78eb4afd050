# expects: check values
# says: Your factor is upside down: it grows with the norm, and it should shrink the tree to
#     `max_norm`.
"""Multiplies by the norm over the limit."""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, max_norm):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    factor = jnp.where(norm > max_norm, norm / max_norm, 1.0)
    return jax.tree.map(lambda leaf: leaf * factor, tree)
