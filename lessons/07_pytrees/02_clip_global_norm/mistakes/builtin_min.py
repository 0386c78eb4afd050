# expects: traced-bool-in-builtin-minmax at 10
"""Takes the smaller factor with Python's `min`."""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, max_norm):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    factor = min(1.0, max_norm / norm)
    return jax.tree.map(lambda leaf: leaf * factor, tree)
