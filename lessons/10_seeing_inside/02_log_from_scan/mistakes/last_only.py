# expects: check values
# says: `sink` holds only the last sum. Every step should append its own.
"""Calls once, after the loop."""

import jax
import jax.numpy as jnp


def run(xs, sink):
    total, _ = jax.lax.scan(lambda t, x: (t + x, None), jnp.zeros((), xs.dtype), xs)
    jax.debug.callback(lambda v: sink.append(float(v)), total)
    return total
