# expects: check traces-once
# says: Your layer is traced again although the shapes are the same. Compile one function, once,
#     that receives everything it needs.
"""Compiles again whenever w is exchanged."""

import jax


class Affine:
    def __init__(self, w, b):
        self.w, self.b = w, b
        self.kept = None

    def __call__(self, x):
        if self.kept is None or self.kept[0] is not self.w:
            w, b = self.w, self.b
            self.kept = w, jax.jit(lambda x: w @ x + b)
        return self.kept[1](x)
