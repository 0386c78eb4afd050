# expects: prng-key-reuse at 14
"""Uses the parent for a common shift."""

import jax
import jax.numpy as jnp


def noisy(key, row):
    return row + jax.random.normal(key, row.shape)


def add_noise(key, xs):
    keys = jax.random.split(key, len(xs))
    return jax.vmap(noisy)(keys, xs) + 0 * jax.random.normal(key)
