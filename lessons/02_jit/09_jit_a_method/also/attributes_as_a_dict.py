"""Passes all attributes on, as a dict."""

import jax

affine = jax.jit(lambda params, x: params["w"] @ x + params["b"])


class Affine:
    """Gives w @ x + b when called."""

    def __init__(self, w, b):
        self.w, self.b = w, b

    def __call__(self, x):
        return affine(vars(self), x)
