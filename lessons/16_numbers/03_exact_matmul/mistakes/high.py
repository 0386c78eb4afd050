# expects: check highest
# says: Your product has the precision HIGH, which is one step below the highest.
"""Asks for high."""

import jax.numpy as jnp


def exact_matmul(a, b):
    return jnp.matmul(a, b, precision="high", preferred_element_type=jnp.float32)
