"""What jit-a-method asks for."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Traces

JIT = False


def subject(module):
    """Make one object, and exchange what it holds before each call."""
    layer = None

    def call(w, b, x):
        nonlocal layer
        if layer is None:
            layer = module.Affine(w, b)
        layer.w, layer.b = w, b
        return layer(x)

    return call


EYE = np.eye(2, 3, dtype=np.float32)
B = np.array([1.0, 2.0], np.float32)
X = np.array([10.0, 20.0, 30.0], np.float32)

EXAMPLES = [
    Call(EYE, B, X).gives([11.0, 22.0]),
    Call(2 * EYE, B, X).gives([21.0, 42.0]),
]


def hidden(rng):
    """Another b, then all of it new."""
    yield Call(2 * EYE, -B, X)
    yield Call(*(rng.normal(size=size).astype(np.float32) for size in ((2, 3), 2, 3)))


def layers():
    """Make three layers of a shape that no example has."""
    w = np.arange(10, dtype=np.float32).reshape(2, 5)
    return [Call(w * scale, B * scale, np.ones(5, np.float32)) for scale in (1, 2, 3)]


PROPERTIES = [
    Traces(layers, says="Three calls with other weights of one shape trace it once."),
]
