# expects: check values
# says: Your answer divides by one less than the count, so for a single number it is 0 / 0. Here
#     the variance is `m2 / n`.
"""Divides by one less."""

from jax import lax


def welford(xs):
    def step(carry, x):
        n, mean, m2 = carry
        delta = x - mean
        new = mean + delta / (n + 1)
        return (n + 1, new, m2 + delta * (x - new)), None

    (n, mean, m2), _ = lax.scan(step, (0, 0.0, 0.0), xs)
    return {"mean": mean, "var": m2 / (n - 1)}
