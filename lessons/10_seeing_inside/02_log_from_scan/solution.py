"""A log from inside a loop: every partial sum, as it is computed."""

import jax
import jax.numpy as jnp


def run(xs, sink):
    """Return the sum of xs, and append each partial sum to sink."""

    def note(total):
        sink.append(float(total))

    def add(total, x):
        total = total + x
        # The program calls note in each step, in the order of the loop.
        jax.debug.callback(note, total, ordered=True)
        return total, None

    total, _ = jax.lax.scan(add, jnp.zeros((), xs.dtype), xs)
    return total
