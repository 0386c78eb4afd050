# expects: typed-key-as-raw-array at 8
"""Adds the step to the key."""

import jax


def noise(key, step, shape):
    return jax.random.normal(key + step, shape)
