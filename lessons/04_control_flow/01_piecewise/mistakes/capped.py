# expects: check values
# says: Your answer is right for small values but has an upper limit: a very large `x` should come
#     out large, and an infinite one infinite.
"""Clips the size at a limit that it made up."""

import jax.numpy as jnp


def soft_shrink(x, lam):
    return jnp.sign(x) * jnp.clip(jnp.abs(x) - lam, 0, 100)
