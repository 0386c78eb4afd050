"""The error is thrown, and caught by its class."""

import jax
import jax.numpy as jnp
from jax.experimental import checkify


@jax.jit
def log_of_all(x):
    def inner(x):
        first = jnp.argmin(x > 0)
        checkify.check(x[first] > 0, "x[{}] is {}, not positive", first, x[first])
        return jnp.log(x)

    return checkify.checkify(inner)(x)


def checked_log(x):
    error, y = log_of_all(x)
    try:
        error.throw()
    except checkify.JaxRuntimeError as caught:
        return str(caught), y
    return None, y
