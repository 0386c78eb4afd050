# expects: check jaxpr
# says: The second call failed: your new state is an array of keys, and `draw` expects one key.
#     Return one of them.
"""Returns both keys as the new state, and nobody has split them."""

import jax


def draw(state):
    keys = jax.random.split(state)
    return keys, jax.random.uniform(keys[0])
