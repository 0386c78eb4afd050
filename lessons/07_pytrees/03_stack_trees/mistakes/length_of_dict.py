# expects: check round-trip
# says: Your list has as many trees as the tree has keys. The number of trees is the length of a
#     leaf's first axis.
"""Confuses the number of keys with the number of trees."""

import jax
import jax.numpy as jnp


def stack(trees):
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *trees)


def unstack(tree):
    return [jax.tree.map(lambda leaf: leaf[i], tree) for i in range(len(tree))]
