# expects: check values
# says: Below zero your answer lacks its sign: the highest of -3 and -8 is -3.
"""Ignores the signs."""

import jax.numpy as jnp


def warmest(degrees):
    return jnp.max(jnp.abs(degrees))
