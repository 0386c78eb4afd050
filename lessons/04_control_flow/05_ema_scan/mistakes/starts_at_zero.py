# expects: check values
"""Begins at 0 instead of the first element."""

from jax import lax


def ema(xs, alpha):
    def step(average, x):
        average = alpha * x + (1 - alpha) * average
        return average, average

    return lax.scan(step, 0.0, xs)[1]
