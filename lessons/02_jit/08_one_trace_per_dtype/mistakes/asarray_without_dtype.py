# expects: check one-trace
# says: Your function traces `f` more than once: numbers of another kind reach the compiled
#     function as they came, or something new is compiled, or nothing is. All kinds must have
#     one type before the call.
"""Converts to an array, and keeps its dtype and its mark."""

import jax
import jax.numpy as jnp


def stable(f):
    compiled = jax.jit(f)
    return lambda x: compiled(jnp.asarray(x))
