# expects: check values
"""Has a first condition that holds for too much."""

import jax.numpy as jnp


def soft_shrink(x, lam):
    return jnp.select([x > -lam, x > lam], [jnp.zeros_like(x), x - lam], x + lam)
