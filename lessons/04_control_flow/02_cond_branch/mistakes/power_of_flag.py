# expects: check primitive
# says: Your values are right, but the length is computed whether `flag` is true or not. A program
#     that skips work needs a branch.
"""Divides by the length to the power of 0 or 1."""

import jax.numpy as jnp


def maybe_normalize(x, flag):
    return x / jnp.linalg.norm(x) ** flag
