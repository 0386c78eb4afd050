"""A carry with parts: mean and variance in one pass."""

from jax import lax


def welford(xs):
    """Return the mean and the variance of xs as a dict."""

    def step(carry, x):
        n, mean, m2 = carry
        # TODO: n and the mean are updated, m2 is not, and the carry changes its structure.
        n = n + 1
        mean = mean + (x - mean) / n
        return [n, mean, m2], None

    (n, mean, m2), _ = lax.scan(step, (0, 0.0, 0.0), xs)
    return {"mean": mean, "var": m2 / n}
