# expects: shape-mismatch-matmul at 8
"""Multiplies in the wrong order."""

import jax

@jax.jit
def affine(w, b, x):
    return x @ w + b


class Affine:
    def __init__(self, w, b):
        self.w = w
        self.b = b

    def __call__(self, x):
        return affine(self.w, self.b, x)
