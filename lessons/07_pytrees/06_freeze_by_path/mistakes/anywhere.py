# expects: check values
# says: Your answer freezes too much: the text may stand anywhere in a path. The path should start
#     with it.
"""Finds the text in the middle of a path as well."""

import jax
import jax.numpy as jnp


def mask_grads(grads, frozen):
    def mask(path, grad):
        name = jax.tree_util.keystr(path, simple=True, separator="/")
        return jnp.zeros_like(grad) if frozen in name else grad

    return jax.tree.map_with_path(mask, grads)
