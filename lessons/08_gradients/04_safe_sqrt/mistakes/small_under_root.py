# expects: check gradient-elsewhere
# says: For short vectors your gradient is too small: the number that you add under the root is
#     not small compared with their squares.
"""Adds a small number under the root: wrong for short vectors."""

import jax.numpy as jnp


def safe_norm(x):
    return jnp.sqrt(jnp.sum(x**2, axis=-1) + 1e-12)
