# expects: check order
# says: The numbers are right here, but nothing promises their order: on another machine the calls
#     may come differently.
"""Leaves the order open."""

import jax
import jax.numpy as jnp


def run(xs, sink):
    def add(total, x):
        total = total + x
        jax.debug.callback(lambda v: sink.append(float(v)), total)
        return total, None

    total, _ = jax.lax.scan(add, jnp.zeros((), xs.dtype), xs)
    return total
