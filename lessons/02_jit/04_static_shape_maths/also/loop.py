"""A product in a loop, and the shape unpacked."""

import jax.numpy as jnp


def merge_leading(x):
    *leading, width = x.shape
    rows = 1
    for size in leading:
        rows *= size
    return jnp.reshape(x, (rows, width))
