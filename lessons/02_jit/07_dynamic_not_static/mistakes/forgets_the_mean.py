# expects: check values
# says: Your answer is the scaled distance from the mean. The mean itself has to be added back.
"""Returns the scaled distance alone."""

import jax


def make_scaled():
    @jax.jit
    def g(x, s):
        return s * (x - x.mean())

    return g
