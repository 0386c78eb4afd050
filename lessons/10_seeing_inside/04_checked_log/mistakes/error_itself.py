# expects: check values
# says: You return the error object. The problem asks for its message, which is None if there is
#     none.
"""Returns the error instead of its message."""

import jax
import jax.numpy as jnp
from jax.experimental import checkify


def log_of_one(x):
    checkify.check(x > 0, "the logarithm of {x}", x=x)
    return jnp.log(x)


log_of_all = jax.jit(jax.vmap(checkify.checkify(log_of_one)))


def checked_log(x):
    error, y = log_of_all(x)
    return error, y
