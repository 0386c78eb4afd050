"""Checks for shared-params."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Gradient, LargestIntermediate, SameSize, Types, Vmap

PARAMS = {
    "w": np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], np.float32),
    "b": np.zeros(3, np.float32),
}

EXAMPLES = [
    Call(PARAMS, np.zeros((2, 2), np.float32)).gives([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]),
    Call(PARAMS, np.array([[1.0, -1.0]], np.float32)).gives([[0.7615942, -0.7615942, 0.0]]),
]


def layer(rng, m, d, *stack):
    """Return parameters with m outputs and d inputs."""
    return {
        "w": rng.normal(size=(*stack, m, d)).astype(np.float32),
        "b": rng.normal(size=(*stack, m)).astype(np.float32),
    }


def hidden(rng):
    """Yield as many rows as outputs, where a wrong axis is not noticed, and squares."""
    yield Call(layer(rng, 3, 2), rng.normal(size=(3, 2)).astype(np.float32)).when(
        "as many rows as outputs"
    )
    yield Call(layer(rng, 2, 2), rng.normal(size=(2, 2)).astype(np.float32)).when(
        "a square matrix and as many rows"
    )
    yield Call(layer(rng, 1, 3), rng.normal(size=(4, 3)).astype(np.float32)).when("a single output")


def wide(rows):
    """Return a call with a wide layer and this many rows."""
    rng = np.random.default_rng(0)
    return Call(layer(rng, 8, 20), np.ones((rows, 20), np.float32))


def ensemble():
    """Return a call with three sets of parameters and one batch."""
    rng = np.random.default_rng(1)
    return [Call(layer(rng, 3, 2, 3), rng.normal(size=(4, 2)).astype(np.float32))]


PROPERTIES = [
    LargestIntermediate(
        [wide(50)],
        at_most=1000,
        says="The parameters are not copied for each row.",
    ),
    SameSize([wide(2), wide(20)], says="20 rows take no more equations than 2."),
    Vmap(ensemble, in_axes=(0, None), says="Under jax.vmap it accepts a stack of parameters."),
    Types([wide(3)], says="3 rows and 8 outputs give an array of shape (3, 8)."),
    Gradient(
        [Call(PARAMS, np.ones((2, 2), np.float32))],
        says="Its gradient with respect to params is right.",
    ),
]
