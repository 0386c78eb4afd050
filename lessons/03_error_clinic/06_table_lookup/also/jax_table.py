"""A table that belongs to JAX from the start."""

import jax.numpy as jnp

TABLE = jnp.array([0.0, 0.3, 1.6, 3.4, 5.5, 8.0, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7])


def lookup(i):
    return TABLE[i]
