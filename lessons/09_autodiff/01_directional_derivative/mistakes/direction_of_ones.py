# expects: check values
"""Forgets the direction."""

import jax
import jax.numpy as jnp


def directional(f, x, v):
    ones = jax.tree.map(jnp.ones_like, x)
    return jax.jvp(f, (x,), (ones,))[1]
