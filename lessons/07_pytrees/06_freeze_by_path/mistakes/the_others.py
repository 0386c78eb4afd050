# expects: check values
# says: Your answer freezes the other leaves. Those whose path starts with `frozen` should be
#     zeros.
"""Freezes the other leaves."""

import jax
import jax.numpy as jnp


def mask_grads(grads, frozen):
    def mask(path, grad):
        name = jax.tree_util.keystr(path, simple=True, separator="/")
        return grad if name.startswith(frozen) else jnp.zeros_like(grad)

    return jax.tree.map_with_path(mask, grads)
