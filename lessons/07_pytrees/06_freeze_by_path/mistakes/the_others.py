# expects: check values
"""Freezes what shall move."""

import jax
import jax.numpy as jnp


def mask_grads(grads, frozen):
    def mask(path, grad):
        name = jax.tree_util.keystr(path, simple=True, separator="/")
        return grad if name.startswith(frozen) else jnp.zeros_like(grad)

    return jax.tree.map_with_path(mask, grads)
