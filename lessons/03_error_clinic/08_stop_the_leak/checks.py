"""What stop-the-leak asks for."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Gradient, NoLeak, Traces, Vmap


def f32(*numbers):
    """An array of float32."""
    return np.array(numbers, np.float32)


PARAMS = [f32([1.0, -1.0], [0.0, 1.0]), f32([2.0], [1.0])]
# Away from 0, where right solutions may differ in the gradient.
X = f32(1.0, 2.5)

EXAMPLES = [
    Call(PARAMS, f32(1.0, 2.0)).gives((f32(3.0), [f32(1.0, 1.0), f32(3.0)])),
    Call(PARAMS, f32(1.0, -2.0)).gives((f32(2.0), [f32(1.0, 0.0), f32(2.0)])),
]


def hidden(rng):
    """Other weights, and three layers of different widths."""
    yield Call([rng.normal(size=w.shape).astype(np.float32) for w in PARAMS], X)
    widths = [(2, 4), (4, 3), (3, 2)]
    yield Call([rng.normal(size=size).astype(np.float32) for size in widths], X)


PROPERTIES = [
    NoLeak(
        [Call(PARAMS, X)],
        name="leaks-elsewhere",
        says="No tracer is left behind under jax.jit, jax.grad and jax.vmap.",
    ),
    Traces(
        [Call(PARAMS, X), Call(PARAMS, -X), Call(PARAMS, X * 2)],
        says="It is traced once for three calls of one shape.",
    ),
    Vmap(
        [Call(PARAMS, np.stack([X, -X]))],
        in_axes=(None, 0),
        says="Under jax.vmap each row has its own output and activations.",
    ),
    Gradient(
        [Call(PARAMS, X)],
        says="It has a gradient in each matrix, through the output and the activations.",
    ),
]
