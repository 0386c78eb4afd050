"""A carry with parts: mean and variance in one pass."""

from jax import lax


def welford(xs):
    """Return the mean and the variance of xs as a dict."""

    def step(carry, x):
        n = carry["n"] + 1
        delta = x - carry["mean"]
        mean = carry["mean"] + delta / n
        m2 = carry["m2"] + delta * (x - mean)
        # The same keys and dtypes as at the start.
        return {"n": n, "mean": mean, "m2": m2}, None

    start = {"n": 0, "mean": 0.0, "m2": 0.0}
    end, _ = lax.scan(step, start, xs)
    return {"mean": end["mean"], "var": end["m2"] / end["n"]}
