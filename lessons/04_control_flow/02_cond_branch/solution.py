"""Run one branch: normalize, or leave it."""

import jax
import jax.numpy as jnp


def maybe_normalize(x, flag):
    """Return x divided by its length if flag holds, and x as it is otherwise."""

    def normalize(x):
        return x / jnp.linalg.norm(x)

    def keep(x):
        return x

    # Two functions, not two results: one of them will not be run.
    return jax.lax.cond(flag, normalize, keep, x)
