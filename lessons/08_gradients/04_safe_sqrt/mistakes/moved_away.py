# expects: check gradient
# says: At zero your gradient has a direction, as if the vector were not zero. Something was added
#     to it.
"""Moves the vector away from zero."""

import jax.numpy as jnp


def safe_norm(x):
    return jnp.linalg.norm(x + 1e-12, axis=-1)
