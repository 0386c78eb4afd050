"""No checkify: the outcome of the test is one more result."""

import jax
import jax.numpy as jnp


@jax.jit
def log_and_test(x):
    is_bad = ~(x > 0)
    return jnp.log(x), is_bad.any(), jnp.argmax(is_bad)


def checked_log(x):
    y, any_bad, first = log_and_test(x)
    message = f"x[{first}] is {x[first]}" if any_bad else None
    return message, y
