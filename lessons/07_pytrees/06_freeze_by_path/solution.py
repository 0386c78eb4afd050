"""Leaves by their names: zeros for the gradients of what is frozen."""

import jax
import jax.numpy as jnp


def mask_grads(grads, frozen):
    """Return grads with zeros where the path starts with frozen."""

    def mask(path, grad):
        # The path as text: encoder/0/w.
        name = jax.tree_util.keystr(path, simple=True, separator="/")
        return jnp.zeros_like(grad) if name.startswith(frozen) else grad

    return jax.tree.map_with_path(mask, grads)
