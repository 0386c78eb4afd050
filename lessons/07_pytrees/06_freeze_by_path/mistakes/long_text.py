# expects: check values
# says: Your answer freezes nothing: the long form of a path starts with a bracket. Use the form
#     with slashes.
"""Uses the long form of the path, which starts with a bracket."""

import jax
import jax.numpy as jnp


def mask_grads(grads, frozen):
    def mask(path, grad):
        return jnp.zeros_like(grad) if jax.tree_util.keystr(path).startswith(frozen) else grad

    return jax.tree.map_with_path(mask, grads)
