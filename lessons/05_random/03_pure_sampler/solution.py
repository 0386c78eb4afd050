"""State in, state out: a sampler that returns its memory."""

import jax


def draw(state):
    """Return a new key, and a number between 0 and 1."""
    state, sub = jax.random.split(state)  # one key for later, one for now
    return state, jax.random.uniform(sub)
