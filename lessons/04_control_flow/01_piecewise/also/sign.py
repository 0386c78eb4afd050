"""Shrinks the size and keeps the sign."""

import jax.numpy as jnp


def soft_shrink(x, lam):
    return jnp.sign(x) * jnp.maximum(jnp.abs(x) - lam, 0)
