"""The array n times in a list, joined."""

import jax
import jax.numpy as jnp


@jax.jit(static_argnames="n")
def jit_with_static_n(x, n):
    return jnp.concatenate([x] * int(n))
