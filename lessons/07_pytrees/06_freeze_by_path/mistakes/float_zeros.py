# expects: check dtype
"""Makes zeros of the right shape and of one dtype for all."""

import jax
import jax.numpy as jnp


def mask_grads(grads, frozen):
    def mask(path, grad):
        name = jax.tree_util.keystr(path, simple=True, separator="/")
        return jnp.zeros(grad.shape) if name.startswith(frozen) else grad

    return jax.tree.map_with_path(mask, grads)
