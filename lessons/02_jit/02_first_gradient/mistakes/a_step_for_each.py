# expects: check values
# says: Your answer comes from small steps. It is rounded where the height is large, and a bit off
#     everywhere else. `jax.grad` takes no steps.
"""Tries a small step in each coordinate."""

import jax.numpy as jnp


def uphill(height, place):
    slopes = []
    for i in range(place.size):
        step = jnp.zeros(place.size).at[i].set(1e-3).reshape(place.shape)
        slopes.append((height(place + step) - height(place - step)) / 2e-3)
    return jnp.array(slopes).reshape(place.shape)
