"""Written for one number, and mapped over the elements."""

import jax.numpy as jnp


@jnp.vectorize
def soft_shrink(x, lam):
    small = (-lam <= x) & (x <= lam)
    return jnp.where(small, 0, x - jnp.sign(x) * lam)
