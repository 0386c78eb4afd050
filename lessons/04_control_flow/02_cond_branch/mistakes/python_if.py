# expects: config-flag-not-static at 8
"""Uses Python's `if`."""

import jax.numpy as jnp


def maybe_normalize(x, flag):
    if flag:
        return x / jnp.linalg.norm(x)
    return x
