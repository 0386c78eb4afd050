# expects: check normal
# says: Your noise is not from the standard normal distribution: it lies between 0 and 1.
"""Draws from the uniform distribution."""

import jax


def noise(key, step, shape):
    return jax.random.uniform(jax.random.fold_in(key, step), shape)
