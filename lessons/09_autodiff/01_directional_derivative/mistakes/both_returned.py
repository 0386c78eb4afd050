# expects: check values
# says: You return the value and its rate of change. The problem asks for the rate of change
#     alone.
"""Returns the pair."""

import jax


def directional(f, x, v):
    return jax.jvp(f, (x,), (v,))
