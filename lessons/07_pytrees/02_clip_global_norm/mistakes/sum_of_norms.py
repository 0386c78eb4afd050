# expects: check values
# says: Your norm is too large: it is the sum of the norms of the leaves. Add up squares, and take
#     one root at the end.
"""Adds up the norms of the leaves."""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, max_norm):
    norm = sum(jnp.linalg.norm(leaf) for leaf in jax.tree.leaves(tree))
    factor = max_norm / jnp.maximum(norm, max_norm)
    return jax.tree.map(lambda leaf: leaf * factor, tree)
