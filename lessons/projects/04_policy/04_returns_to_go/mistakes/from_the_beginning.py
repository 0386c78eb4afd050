# expects: check values
# says: Your answer discounts from the beginning of the episode. Each step begins to count at its
#     own time.
"""Discounts from the beginning of the episode."""

import jax
import jax.numpy as jnp


def returns_to_go(rewards, alive, discount):
    counted = jnp.where(alive, rewards, 0.0) * discount ** jnp.arange(len(rewards))
    return jnp.cumsum(counted[::-1])[::-1]
