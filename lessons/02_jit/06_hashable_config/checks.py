"""What hashable-config requires."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Traces

JIT = False


def subject(module):
    """Make one layer, and a new Config for each call."""
    layer = module.make_layer()

    def call(x, degree, bias):
        return layer(x, module.Config(degree=degree, bias=bias))

    call.config = module.Config
    return call


EXAMPLES = [
    Call(np.array([2.0, 3.0], np.float32), 2, True).gives([[1.0, 2.0, 4.0], [1.0, 3.0, 9.0]]),
    Call(np.array([2.0, 3.0], np.float32), 2, False).gives([[2.0, 4.0], [3.0, 9.0]]),
]


def hidden(rng):
    """More elements, one column only, negative numbers, and configs that a weak hash confuses."""
    yield Call(rng.normal(size=6).astype(np.float32), 1, False).when("one column only")
    yield Call(np.array([2.0, 3.0], np.float32), 3, False).when(
        "another config with the same sum of fields"
    )
    yield Call(np.array([2.0, 3.0], np.float32), 1, True).when("the smallest degree, with bias")
    yield Call(np.array([-2.0, 0.0], np.float32), 3, True).when("negative numbers and 0")


def stays_as_it_is(call):
    """Return what is wrong with a Config that can be changed."""
    config = call.config(degree=2, bias=True)
    try:
        config.degree = 3
    except (AttributeError, TypeError):
        return None
    return "config.degree = 3 was accepted, but a program may have been compiled for the old value"


FOUR = np.ones(4, np.float32)

PROPERTIES = [
    Traces(
        [Call(FOUR, 2, True), Call(FOUR * 2, 2, True), Call(-FOUR, 2, True)],
        says="Three calls with equal configs trace it once.",
    ),
    Traces(
        [Call(FOUR, degree, True) for degree in (3, 2, 3, 2)],
        name="traces-per-config",
        says="A different config traces it once more, and then both configs are known.",
    ),
    Custom("frozen", "A Config cannot be changed once it is made.", stays_as_it_is),
]

RIGHT_TOO = {
    "bias: bool = False": "Every call names bias, and the page asks for no default.",
}
