"""What the scores are."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Gradient, SameSize

CHARACTERS, WIDTH, CONTEXT = 7, 8, 6
SHAPES = {"qkv": (WIDTH, 3 * WIDTH), "out": (WIDTH, WIDTH)}
SHAPES |= {"up": (WIDTH, 4 * WIDTH), "down": (4 * WIDTH, WIDTH)}


def parameters(rng, layers, scale=0.3):
    """Draw the parameters of a small model."""

    def draw(*shape):
        return (scale * rng.normal(size=shape)).astype(np.float32)

    return {
        "tok": draw(CHARACTERS, WIDTH),
        "pos": draw(CONTEXT, WIDTH),
        "blocks": {name: draw(layers, *shape) for name, shape in SHAPES.items()},
        "head": draw(WIDTH, CHARACTERS),
    }


RNG = np.random.default_rng(0)
SMALL = parameters(RNG, 2)
SILENT = {**SMALL, "head": 0 * SMALL["head"]}
IDS = np.array([3, 0, 3, 6], np.int32)

EXAMPLES = [
    Call(SILENT, IDS).gives(np.zeros((4, 7)).tolist()),
    Call(SILENT, IDS[:1]).gives(np.zeros((1, 7)).tolist()),
]


def hidden(rng):
    """Yield models of several depths, and texts of several lengths."""
    yield Call(SMALL, IDS).when("an id that comes twice")
    yield Call(parameters(rng, 1), rng.integers(0, 7, 4).astype(np.int32))
    yield Call(parameters(rng, 4), rng.integers(0, 7, 4).astype(np.int32)).when("four layers")
    yield Call(SMALL, rng.integers(0, 7, 6).astype(np.int32)).when("a text as long as the context")
    yield Call(parameters(rng, 2, scale=3.0), rng.integers(0, 7, 4).astype(np.int32))


PROPERTIES = [
    Gradient([Call(SMALL, IDS)]),
    SameSize(
        [Call(parameters(RNG, 2), IDS), Call(parameters(RNG, 8), IDS)],
        says="Eight layers need no more equations than two.",
    ),
]
