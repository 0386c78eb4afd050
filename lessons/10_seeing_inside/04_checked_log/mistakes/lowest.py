# expects: check message
# says: Your message does not contain the index of the first element that is not greater than 0.
"""Names the lowest element, and no index."""

import jax
import jax.numpy as jnp
from jax.experimental import checkify


def log_of_all(x):
    checkify.check(jnp.all(x > 0), "the logarithm of {low}", low=x.min())
    return jnp.log(x)


compiled = jax.jit(checkify.checkify(log_of_all))


def checked_log(x):
    error, y = compiled(x)
    return error.get(), y
