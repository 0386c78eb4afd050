# expects: check round-trip
# says: Your `unstack` returns one tree with lists inside. It should return a list of trees.
"""Takes the leaves apart and leaves the lists inside."""

import jax
import jax.numpy as jnp


def stack(trees):
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *trees)


def unstack(tree):
    return jax.tree.map(list, tree)
