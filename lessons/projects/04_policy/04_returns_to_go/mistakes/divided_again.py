# expects: check values
# says: Your answer multiplies by powers of `discount` and divides by them afterwards. For a small
#     `discount` or many steps they are too small to divide by.
"""Divides by the power of the discount."""

import jax
import jax.numpy as jnp


def returns_to_go(rewards, alive, discount):
    powers = discount ** jnp.arange(len(rewards))
    counted = jnp.where(alive, rewards, 0.0) * powers
    return jnp.cumsum(counted[::-1])[::-1] / powers
