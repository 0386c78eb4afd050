# expects: TypeError at 9
"""Tries to make an array of trees."""

import jax
import jax.numpy as jnp


def stack(trees):
    return jnp.stack(trees)


def unstack(tree):
    return list(tree)
