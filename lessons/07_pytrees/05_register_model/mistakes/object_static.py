# expects: check two-leaves
"""Makes an ordinary object static: each one is a program of its own."""

from functools import partial

import jax


class Linear:
    def __init__(self, w, b, name):
        self.w, self.b, self.name = w, b, name


@partial(jax.jit, static_argnames="model")
def predict(model, x):
    return model.w @ x + model.b
