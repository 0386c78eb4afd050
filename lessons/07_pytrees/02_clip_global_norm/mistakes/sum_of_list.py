# expects: list-argument at 10
"""Adds up a list with jnp."""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, max_norm):
    squares = [jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)]
    norm = jnp.sqrt(jnp.sum(squares))
    factor = max_norm / jnp.maximum(norm, max_norm)
    return jax.tree.map(lambda leaf: leaf * factor, tree)
