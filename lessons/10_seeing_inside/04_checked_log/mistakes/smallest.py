# expects: check message
# says: Your message names the smallest element. The problem asks for the first one that is not
#     greater than 0.
"""Finds the smallest element instead of the first."""

import jax
import jax.numpy as jnp
from jax.experimental import checkify


@jax.jit
@checkify.checkify
def logs(x):
    i = jnp.argmin(x)
    checkify.check(jnp.all(x > 0), "x[{i}] is {v}", i=i, v=x[i])
    return jnp.log(x)


def checked_log(x):
    error, y = logs(x)
    return error.get(), y
