# expects: check values
# says: Your answer scales up a tree whose norm is below the limit. Such a tree should come back
#     unchanged.
"""Scales up what is short as well."""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, max_norm):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    return jax.tree.map(lambda leaf: leaf * (max_norm / norm), tree)
