# expects: check values
# says: Your answer counts all rewards. Those of steps that do not count should be left out.
"""Ignores the mask."""

import jax
import jax.numpy as jnp


def returns_to_go(rewards, alive, discount):
    def back(later, reward):
        total = reward + discount * later
        return total, total

    return jax.lax.scan(back, jnp.float32(0.0), rewards, reverse=True)[1]
