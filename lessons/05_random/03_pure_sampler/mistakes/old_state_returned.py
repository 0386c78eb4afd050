# expects: prng-key-reuse at 8
"""Returns the state that came in."""

import jax


def draw(state):
    return state, jax.random.uniform(state)
