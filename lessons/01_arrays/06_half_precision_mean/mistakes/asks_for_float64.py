# expects: float64-truncated at 8
"""Asks for 64 bits, gets 32, and stays there."""

import jax.numpy as jnp


def mean_f16(x):
    return x.sum(dtype=jnp.float64) / x.size
