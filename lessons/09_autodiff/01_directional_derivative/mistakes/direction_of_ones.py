# expects: check values
# says: Your answer does not depend on `v`: every input moves by the same amount.
"""Ignores the direction."""

import jax
import jax.numpy as jnp


def directional(f, x, v):
    ones = jax.tree.map(jnp.ones_like, x)
    return jax.jvp(f, (x,), (ones,))[1]
