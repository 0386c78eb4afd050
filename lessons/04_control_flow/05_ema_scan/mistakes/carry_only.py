# expects: scan-body-not-pair at 8
"""Returns one thing from the step."""

from jax import lax


def ema(xs, alpha):
    _, averages = lax.scan(lambda average, x: alpha * x + (1 - alpha) * average, xs[0], xs)
    return averages
