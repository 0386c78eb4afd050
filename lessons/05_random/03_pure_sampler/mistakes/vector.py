# expects: check values
"""Returns an array with one element instead of a number."""

import jax


def draw(state):
    state, sub = jax.random.split(state)
    return state, jax.random.uniform(sub, (1,))
