# expects: scan-carry-dtype-change at 13
"""Begins at an integer that has a dtype."""

import jax.numpy as jnp
from jax import lax


def ema(xs, alpha):
    def step(average, x):
        average = alpha * x + (1 - alpha) * average
        return average, average

    _, averages = lax.scan(step, jnp.int32(xs[0]), xs)
    return averages
