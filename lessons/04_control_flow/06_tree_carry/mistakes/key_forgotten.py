# expects: loop-carry-structure-mismatch at 12
"""Does not return the count."""

from jax import lax


def welford(xs):
    def step(carry, x):
        n = carry["n"] + 1
        delta = x - carry["mean"]
        mean = carry["mean"] + delta / n
        return {"mean": mean, "m2": carry["m2"] + delta * (x - mean)}, None

    start = {"n": 0, "mean": 0.0, "m2": 0.0}
    end, _ = lax.scan(step, start, xs)
    return {"mean": end["mean"], "var": end["m2"] / len(xs)}
