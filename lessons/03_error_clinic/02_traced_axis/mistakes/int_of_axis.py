# expects: int-on-tracer at 9
"""Turns the axis into an integer, inside the compiled function."""

import jax


def make_reducer():
    def spread(x, axis):
        axis = int(axis)
        return x.max(axis) - x.min(axis)

    return jax.jit(spread)
