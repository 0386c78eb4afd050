"""What the loss is."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Finite, Gradient, SameSize, Types

CHARACTERS, WIDTH, CONTEXT = 5, 8, 4
SHAPES = {"qkv": (WIDTH, 3 * WIDTH), "out": (WIDTH, WIDTH)}
SHAPES |= {"up": (WIDTH, 4 * WIDTH), "down": (4 * WIDTH, WIDTH)}


def parameters(rng, head=0.3):
    """Draw the parameters of a small model; `head` scales the scores."""

    def draw(*shape, scale=0.3):
        return (scale * rng.normal(size=shape)).astype(np.float32)

    return {
        "tok": draw(CHARACTERS, WIDTH),
        "pos": draw(CONTEXT, WIDTH),
        "blocks": {name: draw(2, *shape) for name, shape in SHAPES.items()},
        "head": draw(WIDTH, CHARACTERS, scale=head),
    }


def batch(rng, rows, length=CONTEXT):
    """Draw inputs and targets."""
    return rng.integers(0, CHARACTERS, (2, rows, length)).astype(np.int32)


RNG = np.random.default_rng(0)
SILENT = parameters(RNG, head=0.0)
BIASED = {**SILENT, "tok": np.ones_like(SILENT["tok"]), "pos": 0 * SILENT["pos"]}
BIASED["blocks"] = {name: 0 * leaf for name, leaf in SILENT["blocks"].items()}
BIASED["head"] = np.tile(np.array([1.0, 0, 0, 0, 0], np.float32), (WIDTH, 1)) / WIDTH * np.log(4.0)
BIASED["head"] = BIASED["head"].astype(np.float32)
SEEN = np.array([[1, 2, 3, 4]], np.int32)
COMES = np.array([[0, 0, 0, 2]], np.int32)

EXAMPLES = [
    Call(SILENT, SEEN, COMES).gives(1.609438),
    Call(BIASED, SEEN, COMES).gives(1.039721),
]


def hidden(rng):
    """Yield batches of several sizes, a head of zeros, and scores that are large."""
    p = parameters(rng)
    yield Call(p, *batch(rng, 3))
    yield Call(p, *batch(rng, 2)).when("rows of another number")
    yield Call(SILENT, *batch(rng, 3)).when("a head of zeros")
    yield Call(parameters(rng, head=200.0), *batch(rng, 3)).when("scores of several hundred")


P, BATCH = parameters(RNG), batch(RNG, 3)

PROPERTIES = [
    Gradient([Call(P, *BATCH)]),
    Types([Call(P, *BATCH)]),
    SameSize(
        [Call(P, *batch(RNG, 2)), Call(P, *batch(RNG, 9))],
        says="Nine rows need no more equations than two.",
    ),
    Finite([Call(parameters(RNG, head=200.0), *BATCH)], gradient=True),
]

RIGHT_TOO = {
    "return jnp.take_along_axis(surprises, targets[..., None]).mean()": (
        "The last axis is the default of take_along_axis."
    ),
}
