"""Takes away what lies between the limits."""

import jax.numpy as jnp


def soft_shrink(x, lam):
    return x - jnp.clip(x, -lam, lam)
