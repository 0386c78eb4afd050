# expects: check dtype
# says: Your values are right, but the answer does not keep the dtype of `xs`: the carry starts as
#     `float32`, and so all averages are.
"""Carries float32 along, whatever came in."""

import jax.numpy as jnp
from jax import lax


def ema(xs, alpha):
    def step(average, x):
        average = alpha * x + (1 - alpha) * average
        return average, average

    return lax.scan(step, xs[0].astype(jnp.float32), xs)[1]
