# expects: not-a-jax-type at 9
"""Swaps leaf and path."""

import jax
import jax.numpy as jnp


def mask_grads(grads, frozen):
    return jax.tree.map_with_path(lambda g, path: g if frozen in str(path) else 2 * g, grads)
