# expects: concat-not-sequence at 9
"""Passes two arrays to jnp.stack, which takes a list of them."""

import jax
import jax.numpy as jnp


def stack(trees):
    return jax.tree.map(jnp.stack, *trees)


def unstack(tree):
    count = jax.tree.leaves(tree)[0].shape[0]
    return [jax.tree.map(lambda leaf: leaf[i], tree) for i in range(count)]
