# expects: check values
# says: Your answer replaces every element that equals the one at place `i`. Choose by the place,
#     not by the value.
"""Chooses by value and not by place."""

import jax.numpy as jnp


def replace_at(x, i, v):
    return jnp.where(x == x[i], v, x)
