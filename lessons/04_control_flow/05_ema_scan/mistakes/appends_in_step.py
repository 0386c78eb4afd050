# expects: leaked-by-append at 12
"""Collects the averages in a list of its own."""

import jax.numpy as jnp
from jax import lax


def ema(xs, alpha):
    averages = []

    def step(average, x):
        averages.append(alpha * x + (1 - alpha) * average)
        return averages[-1], None

    lax.scan(step, xs[0], xs)
    return jnp.stack(averages)
