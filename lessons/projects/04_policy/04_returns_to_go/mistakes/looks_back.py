# expects: check values
# says: Your answer adds what came before each step. The return of a step is what comes from it on:
#     begin at the last step.
"""Adds the rewards of the past."""

import jax
import jax.numpy as jnp


def returns_to_go(rewards, alive, discount):
    def on(total, reward):
        total = reward + discount * total
        return total, total

    return jax.lax.scan(on, jnp.float32(0.0), jnp.where(alive, rewards, 0.0))[1]
