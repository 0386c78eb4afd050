# expects: check values
# says: Your new state is an array of integers, not a key. Return a key like the one that came in.
"""Returns the raw words of the key, which are not a key."""

import jax


def draw(state):
    state, sub = jax.random.split(state)
    return jax.random.key_data(state), jax.random.uniform(sub)
