# expects: missing-return at 13
"""Forgets the return in one branch."""

import jax
import jax.numpy as jnp


def maybe_normalize(x, flag):
    def normalize(x):
        return x / jnp.linalg.norm(x)

    def keep(x):
        x

    return jax.lax.cond(flag, normalize, keep, x)
