# expects: check values
# says: Your answer doubles at each step, so it is too long from the third repeat on. Each repeat
#     adds one `x`.
"""Joins the array with itself, which doubles it each time."""

import jax
import jax.numpy as jnp


@jax.jit(static_argnames="n")
def jit_with_static_n(x, n):
    for _ in range(int(n) - 1):
        x = jnp.concatenate([x, x])
    return x
