# expects: check gradient-elsewhere
"""Puts a small number under the root: wrong for short vectors."""

import jax.numpy as jnp


def safe_norm(x):
    return jnp.sqrt(jnp.sum(x**2, axis=-1) + 1e-12)
