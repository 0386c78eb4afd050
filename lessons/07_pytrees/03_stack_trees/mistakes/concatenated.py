# expects: check values
# says: Your leaves are joined along an existing axis. Each leaf needs a new first axis.
"""Joins along an existing axis."""

import jax
import jax.numpy as jnp


def stack(trees):
    return jax.tree.map(lambda *leaves: jnp.concatenate(leaves), *trees)


def unstack(tree):
    count = jax.tree.leaves(tree)[0].shape[0]
    return [jax.tree.map(lambda leaf: leaf[i], tree) for i in range(count)]
