# expects: check values
# says: Your answer divides by the length of the first axis. The mean of a table divides by the
#     number of all its elements.
"""Divides by the length of the first axis."""

import jax.numpy as jnp


def mean_f16(x):
    return (x.sum(dtype=jnp.float32) / len(x)).astype(x.dtype)
