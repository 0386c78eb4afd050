# expects: leaked-by-append at 11
"""Appends in the body, while tracing."""

import jax
import jax.numpy as jnp


def run(xs, sink):
    def add(total, x):
        total = total + x
        sink.append(total)
        return total, None

    total, _ = jax.lax.scan(add, jnp.zeros((), xs.dtype), xs)
    return total
