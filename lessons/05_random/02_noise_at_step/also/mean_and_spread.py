"""Folds a number of its own in first, then the step as an unsigned integer."""

import jax
import jax.numpy as jnp


def noise(key, step, shape):
    mine = jax.random.fold_in(key, 17)
    return 0.0 + 1.0 * jax.random.normal(jax.random.fold_in(mine, jnp.uint32(step)), shape)
