# expects: check values
# says: Your answer is `xs` itself. The second value that the step returns is what `scan`
#     collects, so it should be the new average.
"""Collects what came in."""

from jax import lax


def ema(xs, alpha):
    def step(average, x):
        return alpha * x + (1 - alpha) * average, x

    return lax.scan(step, xs[0], xs)[1]
