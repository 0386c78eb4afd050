# expects: check two-layers
# says: Your layers share their weights: making a second one changes the first. Each object needs
#     its own.
"""Keeps the weights in one place for all layers."""

import jax

WEIGHTS = {}


@jax.jit
def affine(weights, x):
    return weights["w"] @ x + weights["b"]


class Affine:
    def __init__(self, w, b):
        self.w, self.b = w, b

    def __setattr__(self, name, value):
        WEIGHTS[name] = value

    def __call__(self, x):
        return affine(WEIGHTS, x)
