# expects: check values
# says: Your answer counts the first number twice: it is in the start and in the scan. Start from
#     zeros, or scan over the rest.
"""Starts with the first number, and scans over it too."""

from jax import lax


def welford(xs):
    def step(carry, x):
        n, mean, m2 = carry
        n = n + 1
        delta = x - mean
        mean = mean + delta / n
        return (n, mean, m2 + delta * (x - mean)), None

    (n, mean, m2), _ = lax.scan(step, (1, xs[0], 0.0), xs)
    return {"mean": mean, "var": m2 / n}
