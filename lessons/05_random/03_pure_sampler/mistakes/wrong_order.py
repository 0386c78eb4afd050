# expects: check jaxpr
# says: The second call failed: your answer has the number first, so the number was passed as the
#     state. The state comes first.
"""Returns the number first."""

import jax


def draw(state):
    state, sub = jax.random.split(state)
    return jax.random.uniform(sub), state
