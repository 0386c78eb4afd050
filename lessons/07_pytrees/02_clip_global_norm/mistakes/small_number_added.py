# expects: check as-it-was
# says: Your answer changes trees that are short enough, in the last digits. Their factor should
#     be exactly 1.
"""Guards the division by a small number, and applies the factor always."""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, max_norm):
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    factor = jnp.minimum(norm, max_norm) / (norm + 1e-6)
    return jax.tree.map(lambda leaf: leaf * factor, tree)
