# expects: check traces-once
# says: The answers are right, but each call traces again: a new function is compiled every time.
"""Defines and compiles a new function for each call."""

import jax
import jax.numpy as jnp
from jax.experimental import checkify


def checked_log(x):
    def log_of_one(x):
        checkify.check(x > 0, "the logarithm of {x}", x=x)
        return jnp.log(x)

    error, y = jax.jit(jax.vmap(checkify.checkify(log_of_one)))(x)
    return error.get(), y
