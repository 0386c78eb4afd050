# expects: cond-branch-structure-mismatch at 13
"""Returns the length too, from one branch only."""

import jax
import jax.numpy as jnp


def normalize(x):
    return x / jnp.linalg.norm(x), jnp.linalg.norm(x)


def maybe_normalize(x, flag):
    return jax.lax.cond(flag, normalize, lambda v: v, x)
