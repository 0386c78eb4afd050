"""State in, state out: a sampler that hands its memory back."""

import jax


def draw(state):
    """Return a new key, and a number between 0 and 1."""
    state, sub = jax.random.split(state)  # one key is kept for later, one is used now
    return state, jax.random.uniform(sub)
