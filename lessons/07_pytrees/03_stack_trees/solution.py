"""A list of trees, a tree of arrays: stack trees, and take them apart."""

import jax
import jax.numpy as jnp


def stack(trees):
    """Return one tree whose leaves have a new first axis, one entry for each tree."""
    # The star passes each tree as a separate argument, so their leaves come side by side.
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *trees)


def unstack(tree):
    """Return the list of trees that were stacked."""
    count = jax.tree.leaves(tree)[0].shape[0]
    return [jax.tree.map(lambda leaf, i=i: leaf[i], tree) for i in range(count)]
