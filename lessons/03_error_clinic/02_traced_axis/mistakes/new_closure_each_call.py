# expects: check traces-once
# says: Your function is traced again although the axis and the shape were seen before. One
#     function, compiled once and kept, finds its program again.
"""Creates a function for the axis at each call; each is compiled, none is found again."""

import jax


def make_reducer():
    def g(x, axis):
        @jax.jit
        def along(x):
            return x.max(axis) - x.min(axis)

        return along(x)

    return g
