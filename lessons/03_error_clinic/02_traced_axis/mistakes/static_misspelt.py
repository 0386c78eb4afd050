# expects: wrong-static-argnums at 11
"""Names an argument that the function does not have."""

import jax


def make_reducer():
    def spread(x, axis):
        return x.max(axis) - x.min(axis)

    return jax.jit(spread, static_argnames="axes")
