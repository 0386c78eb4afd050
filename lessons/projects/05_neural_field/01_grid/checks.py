"""Checks for the centres of the pixels."""

import numpy as np

from jaxtutor.core.vocabulary import Call, NoConstants, SameSize

STATIC = ("height", "width")

EXAMPLES = [
    Call(1, 2).gives([[0.0, -0.5], [0.0, 0.5]]),
    Call(2, 2).gives([[-0.5, -0.5], [-0.5, 0.5], [0.5, -0.5], [0.5, 0.5]]),
]


def hidden(rng: np.random.Generator):
    """Yield images that are wide, high, large, and of one pixel."""
    yield Call(3, 5).when("an image wider than high")
    yield Call(5, 4).when("an image higher than wide")
    yield Call(1, 1).when("an image of one pixel")
    yield Call(12, 16)


PROPERTIES = [
    SameSize(
        [Call(2, 3), Call(8, 7)],
        says="An image of 56 pixels takes no more equations than one of 6.",
    ),
    NoConstants([Call(12, 16)], says="The program computes the grid. It is not a constant."),
]
