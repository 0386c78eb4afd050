# expects: check values
# says: Your answer clips each leaf by its own norm. There is one norm for the whole tree, and one
#     factor for all leaves.
"""Clips every leaf by its own norm."""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, max_norm):
    def clip(leaf):
        norm = jnp.sqrt(jnp.sum(leaf**2))
        return leaf * (max_norm / jnp.maximum(norm, max_norm))

    return jax.tree.map(clip, tree)
