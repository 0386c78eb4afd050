"""What stop-the-leak requires."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Gradient, NoLeak, Traces, Types


def f32(*numbers):
    """Return an array of float32."""
    return np.array(numbers, np.float32)


PARAMS = [f32([1.0, -1.0], [0.0, 1.0]), f32([2.0], [1.0])]
# Away from 0, where the gradients of right solutions may differ.
X = f32(1.0, 2.5)

EXAMPLES = [
    Call(PARAMS, f32(1.0, 2.0)).gives((f32(3.0), [f32(1.0, 1.0), f32(3.0)])),
    Call(PARAMS, f32(1.0, -2.0)).gives((f32(2.0), [f32(1.0, 0.0), f32(2.0)])),
]


def hidden(rng):
    """Other weights, one layer, equal layers, and NaN."""
    for _ in range(2):
        yield Call([rng.normal(size=w.shape).astype(np.float32) for w in PARAMS], X)
    yield Call([PARAMS[0]], X).when("one layer only")
    yield Call([PARAMS[0]] * 3, X).when("three equal layers")
    yield Call(PARAMS, f32(np.nan, 1.0)).when("NaN in x")


THREE_LAYERS = [np.ones(size, np.float32) for size in [(2, 4), (4, 3), (3, 1)]]

PROPERTIES = [
    NoLeak(
        [Call(PARAMS, X)],
        name="leaks-elsewhere",
        says="No tracer is left behind under jax.jit, jax.grad and jax.vmap.",
    ),
    Types(
        [Call(THREE_LAYERS, X)],
        name="layers",
        says="Three layers give three activations, in the dtype of the matrices.",
    ),
    Traces(
        [Call(PARAMS, X), Call(PARAMS, -X), Call(PARAMS, X * 2)],
        says="It is traced once for three calls of one shape.",
    ),
    Gradient(
        [Call(PARAMS, X)],
        says="It has a gradient with respect to each matrix, through output and activations.",
    ),
]
