# expects: check jaxpr
# says: No call ran: an array cannot hold trees. Stack leaf by leaf.
"""Tries to make an array of trees."""

import jax
import jax.numpy as jnp


def stack(trees):
    return jnp.stack(trees)


def unstack(tree):
    return list(tree)
