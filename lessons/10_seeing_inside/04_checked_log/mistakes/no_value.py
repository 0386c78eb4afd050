# expects: check message
# says: The message says that something is wrong, but not which element.
"""Says that something was wrong, and not what."""

import jax
import jax.numpy as jnp
from jax.experimental import checkify


def log_of_one(x):
    checkify.check(x > 0, "not positive")
    return jnp.log(x)


log_of_all = jax.jit(jax.vmap(checkify.checkify(log_of_one)))


def checked_log(x):
    error, y = log_of_all(x)
    return error.get(), y
