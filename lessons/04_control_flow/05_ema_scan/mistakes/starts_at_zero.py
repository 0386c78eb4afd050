# expects: check values
# says: Your answer starts below the first price: it averages the first price with 0. The first
#     average should be the first price.
"""Begins at 0 instead of the first element."""

from jax import lax


def ema(xs, alpha):
    def step(average, x):
        average = alpha * x + (1 - alpha) * average
        return average, average

    return lax.scan(step, 0.0, xs)[1]
