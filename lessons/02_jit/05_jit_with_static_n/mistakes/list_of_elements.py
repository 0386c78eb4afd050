# expects: check equations
# says: Your program holds an operation for each element of `x`. One operation can repeat the
#     whole array.
"""Picks every element of the answer in Python, and writes an operation for each."""

import jax
import jax.numpy as jnp


@jax.jit(static_argnames="n")
def jit_with_static_n(x, n):
    return jnp.stack([x[i % x.size] for i in range(x.size * int(n))])
