# expects: check values
# says: Your answer is the last average only. `scan` returns the last carry first and everything
#     collected second.
"""Returns the last carry."""

from jax import lax


def ema(xs, alpha):
    def step(average, x):
        average = alpha * x + (1 - alpha) * average
        return average, average

    last, _ = lax.scan(step, xs[0], xs)
    return last
