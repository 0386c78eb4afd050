# expects: prng-key-reuse at 9
"""Splits the key, and folds the step into the parent."""

import jax


def noise(key, step, shape):
    first, second = jax.random.split(key)
    return jax.random.normal(jax.random.fold_in(first, step), shape) + jax.random.normal(key, shape)
