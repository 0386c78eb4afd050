# expects: traced-bool-in-assert at 10
"""Lets Python decide."""

import jax
import jax.numpy as jnp
from jax.experimental import checkify


def log_of_one(x):
    assert x > 0, "not positive"
    return jnp.log(x)


log_of_all = jax.jit(jax.vmap(checkify.checkify(log_of_one)))


def checked_log(x):
    error, y = log_of_all(x)
    return error.get(), y
