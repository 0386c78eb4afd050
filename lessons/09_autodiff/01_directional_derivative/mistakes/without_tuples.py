# expects: check jaxpr
# says: The inputs and the directions are each passed as a tuple, even if there is only one.
"""Passes the arguments without tuples."""

import jax


def directional(f, x, v):
    return jax.jvp(f, x, v)[1]
