# expects: check values
# says: Your answer leaves large values as they are. Every value should move towards zero by
#     `lam`, including the large ones.
"""Keeps what is large as it is."""

import jax.numpy as jnp


def soft_shrink(x, lam):
    return jnp.where(jnp.abs(x) > lam, x, 0)
