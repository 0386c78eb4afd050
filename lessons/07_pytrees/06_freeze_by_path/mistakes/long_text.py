# expects: check values
"""Writes the path the long way, which begins with a bracket."""

import jax
import jax.numpy as jnp


def mask_grads(grads, frozen):
    def mask(path, grad):
        return jnp.zeros_like(grad) if jax.tree_util.keystr(path).startswith(frozen) else grad

    return jax.tree.map_with_path(mask, grads)
