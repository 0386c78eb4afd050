# expects: check values
# says: Your answer has NaN in a frozen leaf: 0 times NaN is NaN. Make new zeros instead.
"""Multiplies by zero, and NaN stays NaN."""

import jax


def mask_grads(grads, frozen):
    def mask(path, grad):
        name = jax.tree_util.keystr(path, simple=True, separator="/")
        return 0 * grad if name.startswith(frozen) else grad

    return jax.tree.map_with_path(mask, grads)
