# expects: check values
# says: Your answer has the length of `x`: its elements were multiplied. An array is not a list,
#     and `*` computes.
"""Multiplies an array as if it were a list."""

import jax


@jax.jit(static_argnames="n")
def jit_with_static_n(x, n):
    return x * int(n)
