# expects: check uniform
"""Draws from another distribution."""

import jax


def draw(state):
    state, sub = jax.random.split(state)
    return state, jax.random.normal(sub)
