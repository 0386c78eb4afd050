"""Folds the step in, and splits for more uses."""

import jax


def noise(key, step, shape):
    draw, _ = jax.random.split(jax.random.fold_in(key, step))
    return jax.random.normal(draw, shape)
