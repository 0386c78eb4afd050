# expects: jnp-op-on-static-value at 8
"""Tries to get the integer back out of a tracer."""

import jax.numpy as jnp


def merge_leading(x):
    rows = int(jnp.prod(jnp.asarray(x.shape[:-1])))
    return jnp.reshape(x, (rows, x.shape[-1]))
