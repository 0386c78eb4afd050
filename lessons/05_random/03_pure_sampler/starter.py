"""State in, state out: a sampler that hands its memory back."""

import jax


def draw(state):
    """Return a new key, and a number between 0 and 1."""
    # TODO: the state that is returned is the one that came in.
    return state, jax.random.uniform(state)
