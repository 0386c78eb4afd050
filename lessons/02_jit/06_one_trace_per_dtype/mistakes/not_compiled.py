# expects: check one-trace
"""Converts, and compiles nothing."""

import jax.numpy as jnp


def stable(f):
    return lambda x: f(jnp.asarray(x, jnp.float32))
