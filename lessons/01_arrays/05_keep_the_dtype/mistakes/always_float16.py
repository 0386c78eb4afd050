# expects: check values
# says: Your answer has been through `float16`, whatever the dtype of `x`. What has more digits,
#     or does not fit into 65504, is damaged there.
"""Converts to one dtype, whatever came in."""

import jax.numpy as jnp


def halve(x):
    return (x * 0.5).astype(jnp.float16)
