# expects: wrong-static-argnums at 11
"""Counts the arguments from 1."""

import jax


def make_reducer():
    def spread(x, axis):
        return x.max(axis) - x.min(axis)

    return jax.jit(spread, static_argnums=2)
