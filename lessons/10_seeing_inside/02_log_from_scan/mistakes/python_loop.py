# expects: check equations
"""Unrolls the loop while tracing."""

import jax
import jax.numpy as jnp


def run(xs, sink):
    total = jnp.zeros((), xs.dtype)
    for x in xs:
        total = total + x
        jax.debug.callback(lambda v: sink.append(float(v)), total, ordered=True)
    return total
