# expects: check primitive
"""Divides by the length to the power of 0 or 1."""

import jax.numpy as jnp


def maybe_normalize(x, flag):
    return x / jnp.linalg.norm(x) ** flag
