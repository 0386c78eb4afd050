# expects: check no-primitive
# says: Your values are right, but the steps still run one after another in a loop. Join
#     neighbouring stretches instead, so that many joins can run at once.
"""Fills an array, step by step."""

import jax.numpy as jnp
from jax import lax


def recur(a, b):
    def step(t, h):
        return h.at[t].set(a[t] * h[t - 1] + b[t])

    return lax.fori_loop(1, len(a), step, jnp.zeros_like(b).at[0].set(b[0]))
