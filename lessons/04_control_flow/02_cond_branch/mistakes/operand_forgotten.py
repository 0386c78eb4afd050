# expects: wrong-arity at 17
"""Forgets to hand x over."""

import jax
import jax.numpy as jnp


def normalize(x):
    return x / jnp.linalg.norm(x)


def keep(x):
    return x


def maybe_normalize(x, flag):
    return jax.lax.cond(flag, normalize, keep)
