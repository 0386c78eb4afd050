# expects: config-flag-not-static at 8
"""Uses Python's conditional expression."""

import jax.numpy as jnp


def maybe_normalize(x, flag):
    return x / jnp.linalg.norm(x) if flag else x
