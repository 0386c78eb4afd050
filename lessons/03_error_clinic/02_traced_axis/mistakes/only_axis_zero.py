# expects: check values
"""Forgets to hand the axis on."""

import jax


def make_reducer():
    def spread(x, axis):
        return x.max(0) - x.min(0)

    return jax.jit(spread, static_argnames="axis")
