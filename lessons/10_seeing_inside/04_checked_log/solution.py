"""Errors that are values: a logarithm that reports what was wrong."""

import jax
import jax.numpy as jnp
from jax.experimental import checkify


def log_of_one(x):
    checkify.check(x > 0, "the logarithm of {x}", x=x)
    return jnp.log(x)


# checkify first, then vmap: one error for each element, and the message has its index.
log_of_all = jax.jit(jax.vmap(checkify.checkify(log_of_one)))


def checked_log(x):
    """Return a message or None, and the logarithms of x."""
    error, y = log_of_all(x)
    return error.get(), y
