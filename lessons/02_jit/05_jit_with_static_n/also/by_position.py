"""Gives the position of the static argument."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=(1,))
def jit_with_static_n(x, n):
    return jnp.tile(x, int(n))
