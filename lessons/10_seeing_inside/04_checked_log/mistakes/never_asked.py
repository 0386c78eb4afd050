# expects: check values
# says: Your message is always None: either nothing in your program is checked, or nobody looks at
#     the error.
"""Never looks at the error."""

import jax
import jax.numpy as jnp
from jax.experimental import checkify


def log_of_one(x):
    checkify.check(x > 0, "the logarithm of {x}", x=x)
    return jnp.log(x)


log_of_all = jax.jit(jax.vmap(checkify.checkify(log_of_one)))


def checked_log(x):
    error, y = log_of_all(x)
    return None, y
