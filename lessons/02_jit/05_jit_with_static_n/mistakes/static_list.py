# expects: unhashable-static at 15
"""Passes a list as a static argument."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="reps")
def tiled(x, reps):
    return jnp.tile(x, reps)

def jit_with_static_n(x, n):
    return tiled(x, reps=[int(n)])
