"""Makes an array first, and sets its dtype after."""

from functools import wraps

import jax
import jax.numpy as jnp


def stable(f):
    compiled = jax.jit(f)

    @wraps(f)
    def g(x):
        return compiled(jnp.array(x).astype("float32"))

    return g
