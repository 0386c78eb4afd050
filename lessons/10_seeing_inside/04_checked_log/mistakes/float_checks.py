# expects: check values
# says: An element that is 0 passes without a message. It is not greater than 0, though its
#     logarithm is minus infinity and not NaN.
"""Looks for NaN, and the logarithm of 0 is not one."""

import jax
import jax.numpy as jnp
from jax.experimental import checkify

log_of_all = jax.jit(jax.vmap(checkify.checkify(jnp.log, errors=checkify.nan_checks)))


def checked_log(x):
    error, y = log_of_all(x)
    return error.get(), y
