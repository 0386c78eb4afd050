# expects: check uniform
# says: Your numbers are not uniform: some lie below 0 or above 1.
"""Draws from another distribution."""

import jax


def draw(state):
    state, sub = jax.random.split(state)
    return state, jax.random.normal(sub)
