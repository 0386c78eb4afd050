# expects: unhashable-static at 11
"""Makes everything static, to be on the safe side; an array cannot be."""

import jax


def make_reducer():
    def spread(x, axis):
        return x.max(axis) - x.min(axis)

    return jax.jit(spread, static_argnums=(0, 1))
