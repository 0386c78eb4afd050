# expects: check one-trace
# says: Your function traces `f` more than once: numbers of another kind reach the compiled
#     function as they came, or something new is compiled, or nothing is. All kinds must have
#     one type before the call.
"""Converts inside the compiled function, which is too late."""

import jax
import jax.numpy as jnp


def stable(f):
    @jax.jit
    def g(x):
        return f(jnp.asarray(x, jnp.float32))

    return g
