# expects: scan-carry-dtype-change at 15
"""Begins with integers that have a dtype."""

import jax.numpy as jnp
from jax import lax


def welford(xs):
    def step(carry, x):
        n, mean, m2 = carry
        delta = x - mean
        new = mean + delta / (n + 1)
        return (n + 1, new, m2 + delta * (x - new)), None

    (n, mean, m2), _ = lax.scan(step, tuple(jnp.zeros(3, int)), xs)
    return {"mean": mean, "var": m2 / n}
