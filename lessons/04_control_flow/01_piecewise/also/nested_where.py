"""One choice inside the other."""

import jax.numpy as jnp


def soft_shrink(x, lam):
    return jnp.where(x > lam, x - lam, jnp.where(x < -lam, x + lam, 0))
