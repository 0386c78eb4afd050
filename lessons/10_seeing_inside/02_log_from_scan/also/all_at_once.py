"""The whole log in one call, after the loop."""

import jax
import jax.numpy as jnp


def run(xs, sink):
    def add(total, x):
        return total + x, total + x

    total, sums = jax.lax.scan(add, jnp.zeros((), xs.dtype), xs)
    jax.debug.callback(lambda sums: sink.extend(sums.tolist()), sums)
    return total
