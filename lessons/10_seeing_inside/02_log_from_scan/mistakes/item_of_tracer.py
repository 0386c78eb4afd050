# expects: item-on-tracer at 11
"""Asks for the single element while tracing."""

import jax
import jax.numpy as jnp


def run(xs, sink):
    def add(total, x):
        total = total + x
        sink.append(total.item())
        return total, None

    total, _ = jax.lax.scan(add, jnp.zeros((), xs.dtype), xs)
    return total
