"""Forward mode: how a function changes in one direction."""

import jax


def directional(f, x, v):
    """Return the derivative of f at x in the direction v."""
    # One tuple for the arguments of f, and one of the same form for their directions.
    _, change = jax.jvp(f, (x,), (v,))
    return change
