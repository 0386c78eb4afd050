"""What a block is."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Gradient, SameSize, Vmap

NAMES = {"qkv": (1, 3), "out": (1, 1), "up": (1, 4), "down": (4, 1)}


def weights(rng, width, scale=0.3):
    """Draw the parameters of a block."""
    return {
        name: (scale * rng.normal(size=(rows * width, columns * width))).astype(np.float32)
        for name, (rows, columns) in NAMES.items()
    }


def some(rng, length, width):
    """Draw the rows that go into a block."""
    return rng.normal(size=(length, width)).astype(np.float32)


RNG = np.random.default_rng(0)
X = np.array([[1.0, -1.0, 1.0, -1.0], [2.0, 0.0, 0.0, 0.0]], np.float32)
NOTHING = {name: 0 * weight for name, weight in weights(RNG, 4).items()}
ONES = {**NOTHING, "qkv": np.ones((4, 12), np.float32), "out": np.eye(4, dtype=np.float32)}

EXAMPLES = [
    Call(NOTHING, X).gives(X.tolist()),
    Call(ONES, X).gives([[1.0, -1.0, 1.0, -1.0], [3.964, 1.964, 1.964, 1.964]]),
]


def hidden(rng):
    """Yield blocks of two widths, of one place, and halves of a block."""
    p = weights(rng, 8)
    yield Call(p, some(rng, 5, 8))
    yield Call(p, some(rng, 1, 8)).when("one place")
    yield Call(weights(rng, 12), some(rng, 4, 12))
    yield Call({**p, "down": 0 * p["down"]}, some(rng, 5, 8)).when("a network of zeros")
    yield Call({**p, "out": 0 * p["out"]}, some(rng, 5, 8)).when("an attention of zeros")


P, Y = weights(RNG, 8), some(RNG, 5, 8)

PROPERTIES = [
    Gradient([Call(P, Y)], argnums=(0, 1)),
    Vmap([Call(P, np.stack([Y, -Y]))], in_axes=(None, 0)),
    SameSize(
        [Call(P, some(RNG, 3, 8)), Call(P, some(RNG, 30, 8))],
        says="Thirty places need no more equations than three.",
    ),
]
