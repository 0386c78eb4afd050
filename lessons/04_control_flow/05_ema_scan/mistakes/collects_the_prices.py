# expects: check values
"""Collects what came in."""

from jax import lax


def ema(xs, alpha):
    def step(average, x):
        return alpha * x + (1 - alpha) * average, x

    return lax.scan(step, xs[0], xs)[1]
