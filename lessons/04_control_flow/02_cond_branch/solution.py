"""Run one branch: normalize x, or leave it alone."""

import jax
import jax.numpy as jnp


def maybe_normalize(x, flag):
    """Return x divided by its length if flag is true, and x unchanged otherwise."""

    def normalize(x):
        return x / jnp.linalg.norm(x)

    def keep(x):
        return x

    # Two functions, not two results: only one of them will run.
    return jax.lax.cond(flag, normalize, keep, x)
