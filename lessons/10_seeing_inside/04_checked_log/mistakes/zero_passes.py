# expects: check values
# says: An element that is 0 passes without a message. It is not greater than 0, though its
#     logarithm is minus infinity and not NaN.
"""Lets zero pass."""

import jax
import jax.numpy as jnp
from jax.experimental import checkify


@jax.jit
@jax.vmap
@checkify.checkify
def logs(x):
    checkify.check(x >= 0, "the logarithm of {x}", x=x)
    return jnp.log(x)


def checked_log(x):
    error, y = logs(x)
    return error.get(), y
