# expects: check no-primitive
# says: Your values are right, but the steps still run one after another in a loop. Join
#     neighbouring stretches instead, so that many joins can run at once.
"""Goes step by step."""

from jax import lax
import jax.numpy as jnp


def recur(a, b):
    def step(h, ab):
        h = ab[0] * h + ab[1]
        return h, h

    return lax.scan(step, jnp.zeros_like(b[0]), (a, b))[1]
