"""What sticks out above, and what sticks out below."""

import jax.numpy as jnp


def soft_shrink(x, lam):
    return jnp.maximum(x - lam, 0) + jnp.minimum(x + lam, 0)
