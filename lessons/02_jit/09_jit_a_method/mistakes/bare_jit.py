# expects: self-not-static at 12
"""Compiles the method, and JAX takes self for an array."""

import jax


class Affine:
    def __init__(self, w, b):
        self.w = w
        self.b = b

    @jax.jit
    def __call__(self, x):
        return self.w @ x + self.b
