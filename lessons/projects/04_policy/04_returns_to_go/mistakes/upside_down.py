# expects: check values
# says: Your answer is upside down: it begins with the return of the last step.
"""Forgets to turn the answer around."""

import jax
import jax.numpy as jnp


def returns_to_go(rewards, alive, discount):
    def on(total, reward):
        total = reward + discount * total
        return total, total

    counted = jnp.where(alive, rewards, 0.0)
    return jax.lax.scan(on, jnp.float32(0.0), counted[::-1])[1]
