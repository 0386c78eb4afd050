"""One check for all, which finds the first bad element itself."""

import jax
import jax.numpy as jnp
from jax.experimental import checkify


@jax.jit
@checkify.checkify
def log_of_all(x):
    is_bad = ~(x > 0)
    first = jnp.argmax(is_bad)
    checkify.check(~is_bad.any(), "element {i} is {value}", i=first, value=x[first])
    return jnp.log(x)


def checked_log(x):
    error, y = log_of_all(x)
    return error.get(), y
