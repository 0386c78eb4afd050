# expects: prng-key-reuse at 9
"""Splits the state, draws from a child, and returns the parent."""

import jax


def draw(state):
    sub, _ = jax.random.split(state)
    return state, jax.random.uniform(sub)
