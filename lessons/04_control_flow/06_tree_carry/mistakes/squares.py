# expects: check accurate
"""Subtracts the square of the mean from the mean of the squares."""

from jax import lax


def welford(xs):
    def step(carry, x):
        total, squares = carry
        return (total + x, squares + x * x), None

    (total, squares), _ = lax.scan(step, (0.0, 0.0), xs)
    mean = total / len(xs)
    return {"mean": mean, "var": squares / len(xs) - mean * mean}
