# expects: check values
# says: Your message is always None: either nothing in your program is checked, or nobody looks at
#     the error.
"""Expects that a NaN is an error by itself."""

import jax
import jax.numpy as jnp
from jax.experimental import checkify

log_of_all = jax.jit(jax.vmap(checkify.checkify(jnp.log)))


def checked_log(x):
    error, y = log_of_all(x)
    return error.get(), y
