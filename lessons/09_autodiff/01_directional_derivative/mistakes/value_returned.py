# expects: check values
# says: Your answer is the value of `f` at `x`. Its rate of change is the other result.
"""Returns the first of the two results, the value."""

import jax


def directional(f, x, v):
    return jax.jvp(f, (x,), (v,))[0]
