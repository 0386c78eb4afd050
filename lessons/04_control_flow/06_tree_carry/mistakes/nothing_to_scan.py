# expects: scan-without-values at 14
"""Forgets to hand over the numbers."""

from jax import lax


def welford(xs):
    def step(carry, i):
        n, mean, m2 = carry
        delta = xs[n] - mean
        new = mean + delta / (n + 1)
        return (n + 1, new, m2 + delta * (xs[n] - new)), None

    (n, mean, m2), _ = lax.scan(step, (0, 0.0, 0.0))
    return {"mean": mean, "var": m2 / n}
