# expects: check jaxpr
"""Returns both keys as the new state, and nobody has split them."""

import jax


def draw(state):
    keys = jax.random.split(state)
    return keys, jax.random.uniform(keys[0])
