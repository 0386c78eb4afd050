# expects: wrong-static-argnums at 11
"""Gives a position that does not exist."""

import jax


def make_reducer():
    def spread(x, axis):
        return x.max(axis) - x.min(axis)

    return jax.jit(spread, static_argnums=5)
