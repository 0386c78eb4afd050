# expects: check gradient
# says: Your gradient is 0 for every vector. Only at zero should it be.
"""Stops the gradient everywhere."""

import jax
import jax.numpy as jnp


def safe_norm(x):
    return jax.lax.stop_gradient(jnp.linalg.norm(x, axis=-1))
