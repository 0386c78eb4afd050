# expects: check arguments
# says: Your function scales the dict of the caller, whose gradients are gone. Under `jax.jit` it is
#     a copy that changes. Build a new tree.
"""Writes into the dict that it was given."""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, max_norm):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    factor = jnp.where(norm > max_norm, max_norm / norm, 1.0)
    if isinstance(tree, dict):
        for name in tree:
            tree[name] = jax.tree.map(lambda leaf: leaf * factor, tree[name])
        return tree
    return jax.tree.map(lambda leaf: leaf * factor, tree)
