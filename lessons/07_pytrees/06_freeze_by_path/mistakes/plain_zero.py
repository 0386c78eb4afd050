# expects: check values
"""Puts a number in the place of an array."""

import jax


def mask_grads(grads, frozen):
    def mask(path, grad):
        name = jax.tree_util.keystr(path, simple=True, separator="/")
        return 0.0 if name.startswith(frozen) else grad

    return jax.tree.map_with_path(mask, grads)
