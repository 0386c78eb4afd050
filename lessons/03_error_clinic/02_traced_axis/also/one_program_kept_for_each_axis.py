"""One compiled function for each axis, created once and kept."""

from functools import cache, partial

import jax


def spread(x, axis):
    return x.max(axis) - x.min(axis)


def make_reducer():
    @cache
    def along(axis):
        return jax.jit(partial(spread, axis=axis))

    return lambda x, axis: along(axis)(x)
