# expects: scan-carry-shape-change at 10
"""Keeps all numbers in the carry."""

import jax.numpy as jnp
from jax import lax


def welford(xs):
    def step(seen, x):
        return jnp.append(seen, x), None

    seen, _ = lax.scan(step, jnp.zeros(0), xs)
    return {"mean": seen.mean(), "var": seen.var()}
