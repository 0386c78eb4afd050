# expects: check values
# says: Your answer limits single elements, which changes the direction. All elements should be
#     multiplied by the same factor.
"""Clips each element, not the length."""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, max_norm):
    return jax.tree.map(lambda leaf: jnp.clip(leaf, -max_norm, max_norm), tree)
