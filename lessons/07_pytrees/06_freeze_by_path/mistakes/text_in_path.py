# expects: check values
# says: Your answer freezes nothing. A path holds key objects, which equal no text, and stopping a
#     gradient does not change one that is computed already.
"""Looks for a text among key objects."""

import jax
import jax.numpy as jnp


def mask_grads(grads, frozen):
    def mask(path, grad):
        return jnp.zeros_like(grad) if frozen in path else grad

    return jax.tree.map_with_path(mask, grads)
