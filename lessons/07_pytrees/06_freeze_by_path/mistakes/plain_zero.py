# expects: check values
# says: Your answer has a single number where an array of zeros should be.
"""Returns a number instead of an array."""

import jax


def mask_grads(grads, frozen):
    def mask(path, grad):
        name = jax.tree_util.keystr(path, simple=True, separator="/")
        return 0.0 if name.startswith(frozen) else grad

    return jax.tree.map_with_path(mask, grads)
