# expects: check values
# says: `sink` is one step behind: it begins with 0, and the last sum is missing.
"""Notes the sum before the step."""

import jax
import jax.numpy as jnp


def run(xs, sink):
    def add(total, x):
        jax.debug.callback(lambda v: sink.append(float(v)), total, ordered=True)
        return total + x, None

    total, _ = jax.lax.scan(add, jnp.zeros((), xs.dtype), xs)
    return total
