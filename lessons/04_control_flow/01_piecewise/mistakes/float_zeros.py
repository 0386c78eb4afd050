# expects: check dtype
"""Takes zeros of another dtype."""

import jax.numpy as jnp


def soft_shrink(x, lam):
    return jnp.select([x > lam, x < -lam], [x - lam, x + lam], jnp.zeros(x.shape))
