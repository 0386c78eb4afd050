# expects: check values
# says: Your number is an array with an axis. It should have shape `()`.
"""Returns an array with one element instead of a number."""

import jax


def draw(state):
    state, sub = jax.random.split(state)
    return state, jax.random.uniform(sub, (1,))
