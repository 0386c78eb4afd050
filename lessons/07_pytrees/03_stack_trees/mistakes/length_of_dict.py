# expects: check round-trip
"""Takes the number of keys for the number of trees."""

import jax
import jax.numpy as jnp


def stack(trees):
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *trees)


def unstack(tree):
    return [jax.tree.map(lambda leaf: leaf[i], tree) for i in range(len(tree))]
