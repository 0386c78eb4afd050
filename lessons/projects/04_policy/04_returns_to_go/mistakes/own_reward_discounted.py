# expects: check values
# says: Your answer discounts the reward of the step itself. It counts in full, and the next one is
#     multiplied by `discount` once.
"""Discounts the step's own reward."""

import jax
import jax.numpy as jnp


def returns_to_go(rewards, alive, discount):
    def back(later, reward):
        total = discount * (reward + later)
        return total, total

    counted = jnp.where(alive, rewards, 0.0)
    return jax.lax.scan(back, jnp.float32(0.0), counted, reverse=True)[1]
