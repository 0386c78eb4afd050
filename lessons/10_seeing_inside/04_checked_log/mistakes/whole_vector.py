# expects: TypeError at 10
"""Asks for one boolean about a whole vector."""

import jax
import jax.numpy as jnp
from jax.experimental import checkify


def log_of_one(x):
    checkify.check(x > 0, "the logarithm of {x}", x=x)
    return jnp.log(x)


log_of_all = jax.jit(checkify.checkify(log_of_one))


def checked_log(x):
    error, y = log_of_all(x)
    return error.get(), y
