# expects: check values
# says: Your variance is too large: `m2` grows by the square of the difference from the old mean.
#     One of the two factors uses the new mean.
"""Squares the difference from the old mean."""

from jax import lax


def welford(xs):
    def step(carry, x):
        n, mean, m2 = carry
        delta = x - mean
        return (n + 1, mean + delta / (n + 1), m2 + delta * delta), None

    (n, mean, m2), _ = lax.scan(step, (0, 0.0, 0.0), xs)
    return {"mean": mean, "var": m2 / n}
