# expects: check dtype
# says: Your values are right, but the zeros are always `float32`. They should have the dtype of
#     the leaf.
"""Makes zeros of the right shape, but always of one dtype."""

import jax
import jax.numpy as jnp


def mask_grads(grads, frozen):
    def mask(path, grad):
        name = jax.tree_util.keystr(path, simple=True, separator="/")
        return jnp.zeros(grad.shape) if name.startswith(frozen) else grad

    return jax.tree.map_with_path(mask, grads)
