# expects: check traces-once
# says: The answers are right, but nothing is compiled, so each call traces or runs your function
#     again.
"""Forgets to compile."""

import jax
import jax.numpy as jnp
from jax.experimental import checkify


def log_of_one(x):
    checkify.check(x > 0, "the logarithm of {x}", x=x)
    return jnp.log(x)


log_of_all = jax.vmap(checkify.checkify(log_of_one))


def checked_log(x):
    error, y = log_of_all(x)
    return error.get(), y
