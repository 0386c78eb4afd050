# expects: check traces-once
# says: Your layer is traced again although the shapes are the same. Compile one function, once,
#     that receives everything it needs.
"""Turns self into a key by its contents: a program for each set of weights."""

from functools import partial

import jax
import numpy as np


class Affine:
    def __init__(self, w, b):
        self.w = w
        self.b = b

    def contents(self):
        return np.asarray(self.w).tobytes(), np.asarray(self.b).tobytes()

    def __hash__(self):
        return hash(self.contents())

    def __eq__(self, other):
        return self.contents() == other.contents()

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return self.w @ x + self.b

    def __call__(self, x):
        return Affine(self.w, self.b).apply(x)
