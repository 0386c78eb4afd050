# expects: check values
# says: Your answer is not a dict. It should have the keys `mean` and `var`.
"""Returns a tuple for the dict."""

from jax import lax


def welford(xs):
    def step(carry, x):
        n, mean, m2 = carry
        delta = x - mean
        new = mean + delta / (n + 1)
        return (n + 1, new, m2 + delta * (x - new)), None

    (n, mean, m2), _ = lax.scan(step, (0, 0.0, 0.0), xs)
    return mean, m2 / n
