"""An axis is part of the program: a compiled reduction along any axis."""

import jax


def make_reducer():
    """Return a compiled g(x, axis): the largest value of x along axis minus the smallest."""

    def spread(x, axis):
        return x.max(axis) - x.min(axis)

    # TODO: jit turns the axis into a tracer, too.
    return jax.jit(spread)
