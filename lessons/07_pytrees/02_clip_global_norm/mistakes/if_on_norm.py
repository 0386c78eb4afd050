# expects: traced-bool-in-if at 10
"""Uses Python's `if` on the norm."""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, max_norm):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    if norm > max_norm:
        return jax.tree.map(lambda leaf: leaf * (max_norm / norm), tree)
    return tree
