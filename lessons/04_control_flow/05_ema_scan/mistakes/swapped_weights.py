# expects: check values
# says: Your answer gives the weight `alpha` to the old average, and not to the new price. In the
#     step, the carry is the first argument and the element the second.
"""Gives the old average the weight of the new price."""

from jax import lax


def ema(xs, alpha):
    def step(average, x):
        average = alpha * average + (1 - alpha) * x
        return average, average

    return lax.scan(step, xs[0], xs)[1]
