# expects: leaked-by-append at 11
"""Calls append instead of passing it."""

import jax
import jax.numpy as jnp


def run(xs, sink):
    def add(total, x):
        total = total + x
        jax.debug.callback(sink.append(total))
        return total, None

    total, _ = jax.lax.scan(add, jnp.zeros((), xs.dtype), xs)
    return total
