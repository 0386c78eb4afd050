# expects: check values
"""Returns the pair."""

import jax


def directional(f, x, v):
    return jax.jvp(f, (x,), (v,))
