"""Weak types cost traces: one program for every kind of number."""

import jax
import jax.numpy as jnp


def stable(f):
    """Return a compiled f that is traced once for all kinds of numbers."""
    compiled = jax.jit(f)

    def g(x):
        # Naming a dtype removes the mark as well, and it works on a tracer from outside.
        return compiled(jnp.asarray(x, jnp.float32))

    return g
