"""A tree of booleans first, then both trees side by side."""

import jax
import jax.numpy as jnp
from jax.tree_util import keystr, tree_map_with_path


def mask_grads(grads, frozen):
    moves = tree_map_with_path(
        lambda path, _: not keystr(path, simple=True, separator="/").startswith(frozen), grads
    )
    return jax.tree.map(lambda move, grad: grad if move else 0 * jnp.ones_like(grad), moves, grads)
