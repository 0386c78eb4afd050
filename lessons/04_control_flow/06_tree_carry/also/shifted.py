"""Sums of differences from the first element, which are small."""

import jax


def welford(xs):
    first = xs[0]

    def step(carry, x):
        total, squares = carry
        shifted = x - first
        return (total + shifted, squares + shifted * shifted), None

    (total, squares), _ = jax.lax.scan(step, (0.0, 0.0), xs)
    offset = total / len(xs)
    return {"mean": first + offset, "var": squares / len(xs) - offset * offset}
