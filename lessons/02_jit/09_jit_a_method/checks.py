"""What jit-a-method requires."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Traces

JIT = False


def subject(module):
    """Make one object, and exchange its weights before each call."""
    layer = None

    def call(w, b, x):
        nonlocal layer
        if layer is None:
            layer = module.Affine(w, b)
        layer.w, layer.b = w, b
        return layer(x)

    call.affine = module.Affine
    return call


EYE = np.eye(2, 3, dtype=np.float32)
B = np.array([1.0, 2.0], np.float32)
X = np.array([10.0, 20.0, 30.0], np.float32)

EXAMPLES = [
    Call(EYE, B, X).gives([11.0, 22.0]),
    Call(2 * EYE, B, X).gives([21.0, 42.0]),
]


def hidden(rng):
    """Another b, then everything new."""
    yield Call(2 * EYE, -B, X).when("another b")
    yield Call(*(rng.normal(size=size).astype(np.float32) for size in ((2, 3), 2, 3)))


def layers():
    """Return calls with three sets of weights, of a shape that no example has."""
    w = np.arange(10, dtype=np.float32).reshape(2, 5)
    return [Call(w * scale, B * scale, np.ones(5, np.float32)) for scale in (1, 2, 3)]


def disturbs_another(call):
    """Return what is wrong when two layers are used in turn."""
    first = call.affine(jnp.ones((2, 3)), jnp.zeros(2))
    second = call.affine(2 * jnp.ones((2, 3)), jnp.ones(2))
    x = jnp.ones(3)
    answers = [layer(x).tolist() for layer in (first, second, first)]
    if answers != [[3.0, 3.0], [7.0, 7.0], [3.0, 3.0]]:
        return f"two layers called in turn gave {answers}, and not [3, 3], [7, 7], [3, 3]"
    return None


PROPERTIES = [
    Traces(layers, says="Three calls with other weights of one shape trace it once."),
    Custom("two-layers", "Two layers do not disturb each other.", disturbs_another),
]
