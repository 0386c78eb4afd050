# expects: unhashable-static at 9
"""Makes the arrays static instead of self."""

from functools import partial

import jax


@partial(jax.jit, static_argnames=("w", "b"))
def affine(w, b, x):
    return w @ x + b

class Affine:
    def __init__(self, w, b):
        self.w = w
        self.b = b

    def __call__(self, x):
        return affine(self.w, self.b, x)
