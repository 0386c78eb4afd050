# expects: check primitive
# says: Your values are right, but both candidates are computed, and one is thrown away. A program
#     that skips work needs a branch.
"""Computes both and picks."""

import jax.numpy as jnp


def maybe_normalize(x, flag):
    return jnp.where(flag, x / jnp.linalg.norm(x), x)
