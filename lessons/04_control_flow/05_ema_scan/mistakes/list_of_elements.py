# expects: scan-over-python-list at 12
"""Turns the array into a list first."""

from jax import lax


def ema(xs, alpha):
    def step(average, x):
        average = alpha * x + (1 - alpha) * average
        return average, average

    return lax.scan(step, xs[0], list(xs))[1]
