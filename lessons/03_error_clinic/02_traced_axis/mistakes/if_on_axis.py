# expects: traced-bool-in-if at 9
"""Asks Python which axis it is."""

import jax


def make_reducer():
    def spread(x, axis):
        if axis == 0:
            return x.max(0) - x.min(0)
        return x.max(1) - x.min(1)

    return jax.jit(spread)
