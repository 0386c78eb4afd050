# expects: check exactly-zero
# says: The length of a vector of zeros comes out tiny, not 0.
"""Puts a floor under the root, so that no 0 comes out of it."""

import jax.numpy as jnp


def safe_norm(x):
    return jnp.sqrt(jnp.maximum(jnp.sum(x**2, axis=-1), 1e-30))
