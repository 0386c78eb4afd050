# expects: check values
# says: The error is raised and not caught. `checkify` throws a class of its own.
"""Catches a different class of the same name."""

import jax
import jax.numpy as jnp
from jax.experimental import checkify


def log_of_one(x):
    checkify.check(x > 0, "the logarithm of {x}", x=x)
    return jnp.log(x)


log_of_all = jax.jit(jax.vmap(checkify.checkify(log_of_one)))


def checked_log(x):
    error, y = log_of_all(x)
    try:
        error.throw()
    except jax.errors.JaxRuntimeError as caught:
        return str(caught), y
    return None, y
