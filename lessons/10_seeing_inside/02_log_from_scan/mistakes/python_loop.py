# expects: check equations
# says: The numbers are right, but the program grows with the vector: a Python loop unrolls the
#     steps while tracing.
"""Unrolls the loop while tracing."""

import jax
import jax.numpy as jnp


def run(xs, sink):
    total = jnp.zeros((), xs.dtype)
    for x in xs:
        total = total + x
        jax.debug.callback(lambda v: sink.append(float(v)), total, ordered=True)
    return total
