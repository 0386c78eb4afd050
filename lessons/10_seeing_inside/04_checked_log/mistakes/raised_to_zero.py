# expects: check values
# says: The logarithm of a negative element is NaN. Your answer replaces such elements before
#     taking it.
"""Replaces bad elements before the logarithm."""

import jax
import jax.numpy as jnp
from jax.experimental import checkify


@jax.jit
@checkify.checkify
def logs(x):
    i = jnp.argmax(x <= 0)
    checkify.check(x[i] > 0, "x[{i}] is {v}", i=i, v=x[i])
    return jnp.log(jnp.maximum(x, 0))


def checked_log(x):
    error, y = logs(x)
    return error.get(), y
