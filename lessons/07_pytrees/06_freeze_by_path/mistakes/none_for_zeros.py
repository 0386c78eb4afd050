# expects: check values
# says: Your answer has `None` where zeros should be, which changes the structure.
"""Returns None instead of zeros, which changes the structure."""

import jax


def mask_grads(grads, frozen):
    def mask(path, grad):
        name = jax.tree_util.keystr(path, simple=True, separator="/")
        return None if name.startswith(frozen) else grad

    return jax.tree.map_with_path(mask, grads)
