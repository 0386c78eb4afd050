# expects: check values
# says: Your answer freezes nothing. A path holds key objects, and none of them equals a text. And
#     `jax.lax.stop_gradient` has no effect on a gradient that is computed already.
"""Looks for a text among key objects."""

import jax
import jax.numpy as jnp


def mask_grads(grads, frozen):
    def mask(path, grad):
        return jnp.zeros_like(grad) if frozen in path else grad

    return jax.tree.map_with_path(mask, grads)
