# expects: check values
# says: Your answer freezes too little: it compares whole keys. The texts are compared as texts,
#     so a part of a name is enough.
"""Compares key by key."""

import jax
import jax.numpy as jnp


def mask_grads(grads, frozen):
    wanted = tuple(frozen.split("/"))

    def mask(path, grad):
        keys = tuple(jax.tree_util.keystr((key,), simple=True) for key in path)
        return jnp.zeros_like(grad) if keys[: len(wanted)] == wanted else grad

    return jax.tree.map_with_path(mask, grads)
