# expects: check traces-once
"""Compiles at each call: right, and traced each time."""

import jax


class Affine:
    def __init__(self, w, b):
        self.w = w
        self.b = b

    def __call__(self, x):
        return jax.jit(lambda x: self.w @ x + self.b)(x)
