# expects: check values
# says: Your answer is still a list of trees: the list went through the map as one tree.
"""Passes the list as one tree."""

import jax
import jax.numpy as jnp


def stack(trees):
    return jax.tree.map(jnp.stack, trees)


def unstack(tree):
    count = jax.tree.leaves(tree)[0].shape[0]
    return [jax.tree.map(lambda leaf: leaf[i], tree) for i in range(count)]
