# expects: check message
# says: The message contains a tracer instead of a number: it was complete before the program ran.
#     Name the value in braces and pass it separately.
"""Fills in the message while tracing."""

import jax
import jax.numpy as jnp
from jax.experimental import checkify


def log_of_one(x):
    checkify.check(x > 0, f"the logarithm of {x}")
    return jnp.log(x)


log_of_all = jax.jit(jax.vmap(checkify.checkify(log_of_one)))


def checked_log(x):
    error, y = log_of_all(x)
    return error.get(), y
