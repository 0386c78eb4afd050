"""A reduction with a start value, and a choice."""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, max_norm):
    square = jax.tree.reduce(lambda total, leaf: total + jnp.vdot(leaf, leaf), tree, 0.0)
    norm = jnp.sqrt(square)
    return jax.tree.map(lambda leaf: jnp.where(norm > max_norm, leaf / norm * max_norm, leaf), tree)
