# expects: missing-return at 8
"""Forgets to return anything from the step."""

from jax import lax


def ema(xs, alpha):
    def step(average, x):
        average = alpha * x + (1 - alpha) * average

    return lax.scan(step, xs[0], xs)[1]
