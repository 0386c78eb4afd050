# expects: check values
# says: Your answer has tuples of arrays as its leaves. Stack them into one array each.
"""Collects the leaves in tuples, without stacking them."""

import jax
import jax.numpy as jnp


def stack(trees):
    return jax.tree.map(lambda *leaves: leaves, *trees)


def unstack(tree):
    count = jax.tree.leaves(tree)[0].shape[0]
    return [jax.tree.map(lambda leaf: leaf[i], tree) for i in range(count)]
