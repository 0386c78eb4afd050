# expects: check values
# says: Your answer is the spread along axis 0, whichever axis is given.
"""Forgets to pass the axis on."""

import jax


def make_reducer():
    def spread(x, axis):
        return x.max(0) - x.min(0)

    return jax.jit(spread, static_argnames="axis")
