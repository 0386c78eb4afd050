# expects: check traces-once
# says: Your function is traced again although the axis and the shape were seen before. One
#     function, compiled once and kept, finds its program again.
"""Fixes the axis at each call, and so compiles at each call."""

from functools import partial

import jax


def make_reducer():
    def spread(x, axis):
        return x.max(axis) - x.min(axis)

    return lambda x, axis: jax.jit(partial(spread, axis=axis))(x)
