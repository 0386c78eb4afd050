# expects: check values
"""Makes self static, and the weights constants."""

from functools import partial

import jax


class Affine:
    def __init__(self, w, b):
        self.w = w
        self.b = b

    @partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return self.w @ x + self.b
