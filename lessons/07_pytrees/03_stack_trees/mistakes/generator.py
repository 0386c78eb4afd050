# expects: check round-trip
# says: Your `unstack` is a generator. It should return a list.
"""Yields the trees one by one."""

import jax
import jax.numpy as jnp


def stack(trees):
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *trees)


def unstack(tree):
    for i in range(jax.tree.leaves(tree)[0].shape[0]):
        yield jax.tree.map(lambda leaf, i=i: leaf[i], tree)
