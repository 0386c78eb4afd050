"""Each place of the answer looks up where it comes from."""

import jax
import jax.numpy as jnp


@jax.jit(static_argnames="n")
def jit_with_static_n(x, n):
    return x[jnp.arange(x.size * int(n)) % x.size]
