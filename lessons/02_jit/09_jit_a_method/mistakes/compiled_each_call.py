# expects: check traces-once
# says: Your layer is traced again although the shapes are the same. Compile one function, once,
#     that receives everything it needs.
"""Compiles at each call: the answers are right, and it is traced each time."""

import jax


class Affine:
    def __init__(self, w, b):
        self.w = w
        self.b = b

    def __call__(self, x):
        return jax.jit(lambda x: self.w @ x + self.b)(x)
