# expects: loop-carry-structure-mismatch at 12
"""Takes a tuple and returns a list."""

from jax import lax


def welford(xs):
    def step(carry, x):
        n, mean, m2 = carry
        delta = x - mean
        new = mean + delta / (n + 1)
        return [n + 1, new, m2 + delta * (x - new)], None

    (n, mean, m2), _ = lax.scan(step, (0, 0.0, 0.0), xs)
    return {"mean": mean, "var": m2 / n}
