# expects: check values
"""Gives the old average the weight of the new price."""

from jax import lax


def ema(xs, alpha):
    def step(average, x):
        average = alpha * average + (1 - alpha) * x
        return average, average

    return lax.scan(step, xs[0], xs)[1]
