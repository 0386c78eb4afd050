# expects: check two-leaves
# says: Your values are right, but a `Linear` is not a tree of two leaves: JAX treats it as a
#     static object. Register the class.
"""Makes an ordinary object static, so each instance is a separate program."""

from functools import partial

import jax


class Linear:
    def __init__(self, w, b, name):
        self.w, self.b, self.name = w, b, name


@partial(jax.jit, static_argnames="model")
def predict(model, x):
    return model.w @ x + model.b
