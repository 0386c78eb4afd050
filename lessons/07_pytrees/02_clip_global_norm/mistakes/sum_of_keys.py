# expects: TypeError at 10
"""Adds up a tree with Python's sum, which goes over its keys."""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, max_norm):
    squares = jax.tree.map(lambda leaf: jnp.sum(leaf**2), tree)
    norm = jnp.sqrt(sum(squares))
    factor = max_norm / jnp.maximum(norm, max_norm)
    return jax.tree.map(lambda leaf: leaf * factor, tree)
