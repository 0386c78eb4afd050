# expects: check values
# says: Your answer has as many axes as `x`. The axis along which the spread is taken disappears.
"""Keeps the axis, with length 1."""

import jax


def make_reducer():
    @jax.jit(static_argnames="axis")
    def spread(x, axis):
        return x.max(axis, keepdims=True) - x.min(axis, keepdims=True)

    return spread
