"""What scan-the-layers asks for."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Gradient, SameSize, Traces


def layers(depth, width=3):
    """Return stacked parameters, different in each layer."""
    rng = np.random.default_rng(depth)
    W = rng.normal(size=(depth, width, width)).astype(np.float32)
    return {"W": W, "b": rng.normal(size=(depth, width)).astype(np.float32)}


ZERO = {"W": np.zeros((1, 2, 2), np.float32), "b": np.zeros((1, 2), np.float32)}
TWO = {
    "W": np.stack([np.eye(2), np.zeros((2, 2))]).astype(np.float32),
    "b": np.array([[0.0, 0.0], [100.0, -100.0]], np.float32),
}
ONES = np.ones(2, np.float32)

EXAMPLES = [
    Call(ZERO, ONES).gives([0.0, 0.0]),
    Call(TWO, ONES).gives([1.0, -1.0]),
]


def hidden(rng):
    """As many layers as units and rows, where mixed up axes raise nothing, and single ones."""
    alike = Call(layers(3), rng.normal(size=(3, 3)).astype(np.float32))
    yield alike.when("as many layers as units and rows")
    yield Call(layers(5), rng.normal(size=(2, 3)).astype(np.float32))
    yield Call(layers(2), rng.normal(size=(1, 3)).astype(np.float32)).when("a table of one row")
    yield Call(layers(1), rng.normal(size=3).astype(np.float32)).when("a single layer")
    yield Call(layers(4, 1), rng.normal(size=(2, 1)).astype(np.float32)).when("a width of 1")


X = np.array([0.5, -1.0, 2.0], np.float32)

PROPERTIES = [
    SameSize(
        [Call(layers(2), X), Call(layers(64), X)],
        says="64 layers take no more equations than 2.",
    ),
    Gradient(
        [Call(layers(4), X)],
        argnums=(0, 1),
        says="It has a gradient with respect to both arguments.",
    ),
    Traces(
        [Call(layers(4), X), Call(layers(4), X * 2)],
        says="A second call with these shapes traces nothing.",
    ),
]
