# expects: check one-trace
# says: Your function traces `f` more than once: some kinds of number are converted and others are
#     not. A JAX array may have another dtype or a weak mark, too.
"""Converts whatever is not yet an array of JAX."""

import jax
import jax.numpy as jnp


def stable(f):
    compiled = jax.jit(f)

    def g(x):
        if not isinstance(x, jax.Array):
            x = jnp.float32(x)
        return compiled(x)

    return g
