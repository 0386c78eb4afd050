# expects: check values
# says: Your answer is NaN where a reward that does not count is NaN: 0 times NaN is NaN. Choose
#     instead of multiplying.
"""Multiplies by the mask."""

import jax
import jax.numpy as jnp


def returns_to_go(rewards, alive, discount):
    def back(later, reward):
        total = reward + discount * later
        return total, total

    return jax.lax.scan(back, jnp.float32(0.0), rewards * alive, reverse=True)[1]
