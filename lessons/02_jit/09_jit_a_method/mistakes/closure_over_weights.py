# expects: check values
# says: Your answer belongs to the weights that the layer had when it was first called. Whatever a
#     compiled function does not receive as an argument is a constant in it.
"""Compiles a function that holds the first weights."""

import jax


class Affine:
    def __init__(self, w, b):
        self.w = w
        self.b = b

        @jax.jit
        def apply(x):
            return w @ x + b

        self.apply = apply

    def __call__(self, x):
        return self.apply(x)
