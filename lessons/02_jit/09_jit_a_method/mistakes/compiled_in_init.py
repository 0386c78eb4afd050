# expects: check values
# says: Your answer belongs to the weights that the layer had when it was first called. Whatever a
#     compiled function does not receive as an argument is a constant in it.
"""Compiles a bound method once, with the weights of that moment."""

import jax


class Affine:
    def __init__(self, w, b):
        self.w = w
        self.b = b
        self.compiled = jax.jit(self.apply)

    def apply(self, x):
        return self.w @ x + self.b

    def __call__(self, x):
        return self.compiled(x)
