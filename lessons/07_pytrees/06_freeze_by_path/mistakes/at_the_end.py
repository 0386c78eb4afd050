# expects: check values
# says: Your answer freezes the leaves whose path ends with the text. The path has to start with
#     it.
"""Looks at the end of the path."""

import jax
import jax.numpy as jnp


def mask_grads(grads, frozen):
    def mask(path, grad):
        name = jax.tree_util.keystr(path, simple=True, separator="/")
        return jnp.zeros_like(grad) if name.endswith(frozen) else grad

    return jax.tree.map_with_path(mask, grads)
