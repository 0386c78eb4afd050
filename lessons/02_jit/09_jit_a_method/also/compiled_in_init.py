"""A compiled function of its own for each object, with the weights as arguments."""

import jax


class Affine:
    """Gives w @ x + b when called."""

    def __init__(self, w, b):
        self.params = {"w": w, "b": b}
        self.compiled = jax.jit(lambda params, x: params["w"] @ x + params["b"])

    w = property(lambda self: self.params["w"], lambda self, value: self.params.update(w=value))
    b = property(lambda self: self.params["b"], lambda self, value: self.params.update(b=value))

    def __call__(self, x):
        return self.compiled(self.params, x)
