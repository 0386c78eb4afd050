# expects: jnp-op-on-static-value at 13
"""Counts the rows with an operation of JAX."""

import jax
import jax.numpy as jnp


def noisy(key, row):
    return row + jax.random.normal(key, row.shape)


def add_noise(key, xs):
    keys = jax.random.split(key, jnp.sum(jnp.ones(len(xs), jnp.int32)))
    return jax.vmap(noisy)(keys, xs)
