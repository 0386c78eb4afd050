"""A log from inside a loop: every partial sum, as it is computed."""

import jax
import jax.numpy as jnp


def run(xs, sink):
    """Return the sum of xs, and append each partial sum to sink."""

    def add(total, x):
        total = total + x
        # TODO: this runs once, while tracing, and total is a tracer.
        sink.append(total)
        return total, None

    total, _ = jax.lax.scan(add, jnp.zeros((), xs.dtype), xs)
    return total
