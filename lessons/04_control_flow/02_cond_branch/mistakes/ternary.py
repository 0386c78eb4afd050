# expects: config-flag-not-static at 8
"""Asks Python to choose, in one line."""

import jax.numpy as jnp


def maybe_normalize(x, flag):
    return x / jnp.linalg.norm(x) if flag else x
