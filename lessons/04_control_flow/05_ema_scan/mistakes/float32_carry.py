# expects: check dtype
"""Carries float32 along, whatever came in."""

import jax.numpy as jnp
from jax import lax


def ema(xs, alpha):
    def step(average, x):
        average = alpha * x + (1 - alpha) * average
        return average, average

    return lax.scan(step, xs[0].astype(jnp.float32), xs)[1]
