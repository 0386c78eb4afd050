# expects: check values
"""Goes by way of the unit vector, which a tree of zeros has not."""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, max_norm):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    length = jnp.minimum(norm, max_norm)
    return jax.tree.map(lambda leaf: leaf / norm * length, tree)
