# expects: check accurate
# says: Your answer subtracts two large numbers that are nearly equal, and few digits survive. Add
#     up differences from the mean so far instead.
"""Subtracts the square of the mean from the mean of the squares."""

from jax import lax


def welford(xs):
    def step(carry, x):
        total, squares = carry
        return (total + x, squares + x * x), None

    (total, squares), _ = lax.scan(step, (0.0, 0.0), xs)
    mean = total / len(xs)
    return {"mean": mean, "var": squares / len(xs) - mean * mean}
