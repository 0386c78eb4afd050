# expects: check values
# says: Your answer repeats each element before it goes on to the next: `a a b b`. The whole of
#     `x` comes once, then again: `a b a b`.
"""Repeats each element instead of the whole."""

import jax
import jax.numpy as jnp


@jax.jit(static_argnames="n")
def jit_with_static_n(x, n):
    return jnp.repeat(x, int(n))
