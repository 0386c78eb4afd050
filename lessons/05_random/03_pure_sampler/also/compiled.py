"""Compiled already; it may be compiled again inside another function."""

import jax


@jax.jit
def draw(state):
    new_state, now = jax.random.split(state)
    return new_state, jax.random.uniform(now)
