# expects: check follows-the-step
# says: Your noise repeats after some number of steps: different steps share a key.
"""Begins again after a hundred steps."""

import jax


def noise(key, step, shape):
    return jax.random.normal(jax.random.fold_in(key, step % 100), shape)
