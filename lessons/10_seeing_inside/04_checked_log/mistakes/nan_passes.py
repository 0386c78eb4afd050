# expects: check values
# says: A NaN passes without a message. It is not greater than 0, and not less than or equal to 0
#     either.
"""Tests for what is bad, and a NaN is not less than 0."""

import jax
import jax.numpy as jnp
from jax.experimental import checkify


@jax.jit
@jax.vmap
@checkify.checkify
def logs(x):
    checkify.check(~(x <= 0), "the logarithm of {x}", x=x)
    return jnp.log(x)


def checked_log(x):
    error, y = logs(x)
    return error.get(), y
