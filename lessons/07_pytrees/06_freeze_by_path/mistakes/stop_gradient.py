# expects: check values
"""Stops a gradient that is there already."""

import jax


def mask_grads(grads, frozen):
    def mask(path, grad):
        name = jax.tree_util.keystr(path, simple=True, separator="/")
        return jax.lax.stop_gradient(grad) if name.startswith(frozen) else grad

    return jax.tree.map_with_path(mask, grads)
