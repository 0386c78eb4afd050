# expects: check values
# says: `sink` holds the elements of `xs` themselves, not the sums up to each of them.
"""Notes what is added instead of the sum."""

import jax
import jax.numpy as jnp


def run(xs, sink):
    def add(total, x):
        jax.debug.callback(lambda t: sink.append(float(t)), x, ordered=True)
        return total + x, None

    total, _ = jax.lax.scan(add, jnp.zeros((), xs.dtype), xs)
    return total
