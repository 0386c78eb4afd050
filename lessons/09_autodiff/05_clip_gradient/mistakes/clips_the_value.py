# expects: check values
# says: Your answer clips `x`. The value should pass unchanged; the gradient is what is clipped.
"""Clips in the forward pass."""

import jax.numpy as jnp


def clip_gradient(x, lo, hi):
    return jnp.clip(x, lo, hi)
