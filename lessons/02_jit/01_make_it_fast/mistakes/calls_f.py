# expects: check function
# says: Your `compile_once` calls `f` and passes the answer on. It has no array yet: pass the
#     function itself.
"""Passes what f returns to jit, which requires f."""

import jax
import jax.numpy as jnp


def compile_once(f):
    return jax.jit(f(jnp.ones(3)))
