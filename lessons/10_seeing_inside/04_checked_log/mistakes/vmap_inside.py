# expects: check message
# says: Your message does not contain the index of the first element that is not greater than 0.
"""Maps first, so there is one error for all."""

import jax
import jax.numpy as jnp
from jax.experimental import checkify


def log_of_one(x):
    checkify.check(x > 0, "the logarithm of {x}", x=x)
    return jnp.log(x)


log_of_all = jax.jit(checkify.checkify(jax.vmap(log_of_one)))


def checked_log(x):
    error, y = log_of_all(x)
    return error.get(), y
