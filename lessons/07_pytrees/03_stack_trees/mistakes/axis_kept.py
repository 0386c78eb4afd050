# expects: check round-trip
# says: Your trees come back with an extra axis of length 1. Take entry i of each leaf, not a
#     slice.
"""Splits, and keeps an axis of length 1."""

import jax
import jax.numpy as jnp


def stack(trees):
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *trees)


def unstack(tree):
    count = jax.tree.leaves(tree)[0].shape[0]
    return [jax.tree.map(lambda leaf: leaf[i : i + 1], tree) for i in range(count)]
