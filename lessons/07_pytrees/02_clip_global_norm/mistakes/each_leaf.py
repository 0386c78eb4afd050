# expects: check values
"""Clips every leaf by a norm of its own."""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, max_norm):
    def clip(leaf):
        norm = jnp.sqrt(jnp.sum(leaf**2))
        return leaf * (max_norm / jnp.maximum(norm, max_norm))

    return jax.tree.map(clip, tree)
