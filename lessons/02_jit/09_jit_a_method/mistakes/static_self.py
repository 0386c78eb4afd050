# expects: check values
# says: Your answer belongs to the weights that the layer had when it was first called. Whatever a
#     compiled function does not receive as an argument is a constant in it.
"""Makes self static, which turns the weights into constants."""

from functools import partial

import jax


class Affine:
    def __init__(self, w, b):
        self.w = w
        self.b = b

    @partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return self.w @ x + self.b
