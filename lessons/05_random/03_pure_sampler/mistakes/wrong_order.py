# expects: not-a-key at 8
"""Returns the number first."""

import jax


def draw(state):
    state, sub = jax.random.split(state)
    return jax.random.uniform(sub), state
