# expects: float-on-tracer at 11
"""Asks for a number while tracing."""

import jax
import jax.numpy as jnp


def run(xs, sink):
    def add(total, x):
        total = total + x
        sink.append(float(total))
        return total, None

    total, _ = jax.lax.scan(add, jnp.zeros((), xs.dtype), xs)
    return total
