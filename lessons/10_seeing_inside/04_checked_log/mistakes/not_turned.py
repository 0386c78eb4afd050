# expects: checkify-not-functionalized at 10
"""Compiles a check that has not been turned into a value."""

import jax
import jax.numpy as jnp
from jax.experimental import checkify


def log_of_one(x):
    checkify.check(x > 0, "the logarithm of {x}", x=x)
    return jnp.log(x)


log_of_all = jax.jit(jax.vmap(log_of_one))


def checked_log(x):
    y = log_of_all(x)
    return None, y
