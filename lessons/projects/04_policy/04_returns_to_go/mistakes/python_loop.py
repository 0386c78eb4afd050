# expects: check equations
# says: Your values are right, but each step is in the program once more. A `scan` can run
#     backwards too.
"""Loops in Python."""

import jax
import jax.numpy as jnp


def returns_to_go(rewards, alive, discount):
    later, totals = jnp.float32(0.0), []
    for reward in jnp.where(alive, rewards, 0.0)[::-1]:
        later = reward + discount * later
        totals.append(later)
    return jnp.stack(totals[::-1])
