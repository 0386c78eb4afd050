# expects: key-array-for-key at 8
"""Returns both keys as the new state, and nobody has split them."""

import jax


def draw(state):
    keys = jax.random.split(state)
    return keys, jax.random.uniform(keys[0])
