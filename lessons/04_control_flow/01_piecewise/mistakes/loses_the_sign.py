# expects: check values
# says: Your answer is never negative. A value below `-lam` moves towards zero and keeps its sign.
"""Shrinks the size, and forgets the sign."""

import jax.numpy as jnp


def soft_shrink(x, lam):
    return jnp.maximum(jnp.abs(x) - lam, 0)
