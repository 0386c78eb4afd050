# expects: scan-carry-dtype-change at 14
"""Begins with a whole number."""

import jax
import jax.numpy as jnp


def returns_to_go(rewards, alive, discount):
    def back(later, reward):
        total = reward + discount * later
        return total, total

    counted = jnp.where(alive, rewards, 0.0)
    return jax.lax.scan(back, jnp.int32(0), counted, reverse=True)[1]
