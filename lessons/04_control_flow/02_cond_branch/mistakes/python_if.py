# expects: config-flag-not-static at 8
"""Asks Python to choose."""

import jax.numpy as jnp


def maybe_normalize(x, flag):
    if flag:
        return x / jnp.linalg.norm(x)
    return x
