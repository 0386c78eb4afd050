# expects: check jaxpr
# says: No second call was possible: your answer holds the number only. Return the new state with
#     it.
"""Returns the number and nothing to go on with."""

import jax


def draw(state):
    _, sub = jax.random.split(state)
    return jax.random.uniform(sub)
