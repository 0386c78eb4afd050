# expects: check values
# says: Your answer compares the first key only, and only dicts have one with a text. The whole
#     path, as text, should start with `frozen`.
"""Looks at the first key only."""

import jax
import jax.numpy as jnp


def mask_grads(grads, frozen):
    def mask(path, grad):
        return jnp.zeros_like(grad) if path[0].key == frozen else grad

    return jax.tree.map_with_path(mask, grads)
