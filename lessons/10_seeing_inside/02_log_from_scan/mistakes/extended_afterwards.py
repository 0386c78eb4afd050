# expects: leaked-by-append at 13
"""Collects in the scan, and appends while everything is traced."""

import jax
import jax.numpy as jnp


def run(xs, sink):
    def add(total, x):
        return total + x, total + x

    total, sums = jax.lax.scan(add, jnp.zeros((), xs.dtype), xs)
    sink.extend(sums)
    return total
