"""One number from all leaves: clip a tree by its global norm."""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, max_norm):
    """Return tree, scaled down to the norm max_norm if its norm is larger."""
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    # Never divides by 0, and is exactly 1 for a tree that is short enough.
    factor = max_norm / jnp.maximum(norm, max_norm)
    return jax.tree.map(lambda leaf: leaf * factor, tree)
