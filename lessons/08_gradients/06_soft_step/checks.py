"""What soft-step asks for."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Finite, Gradient, Traces, Types, Vmap


def of(*numbers):
    """Return an array of floats."""
    return np.array(numbers, np.float32)


def number(value):
    """Return one number, as an array."""
    return np.array(value, np.float32)


EXAMPLES = [
    Call(of(0.0, 0.0, 0.0), 1.0).gives(1.0),
    Call(of(1.0, 5.0, 2.0, 0.0), 50.0).gives(1.0),
]


def hidden(rng):
    """A soft and a sharp one, a single entry, and entries whose exponentials overflow."""
    x = rng.normal(size=4).astype(np.float32)
    yield Call(x, 0.5)
    yield Call(x, 300.0).when("a large beta")
    yield Call(of(-3.0), 2.0).when("a single entry")
    yield Call(of(-2e4, 1e4, 1.001e4, 0.0), 1.0).when("entries of size 1e4")


SMALL = of(0.3, -0.2, 0.7, 0.1)

PROPERTIES = [
    Gradient(
        [Call(SMALL, number(1.5))],
        argnums=(0, 1),
        finite=True,
        says="It has a gradient with respect to x and to beta, and that is not zero.",
    ),
    Finite(
        [
            Call(of(-1e4, 1e4, 0.0), number(1.0)).when("entries of size 1e4"),
            Call(of(1e30, 1e4, -1e30), number(2.0)).when("entries of size 1e30"),
        ],
        gradient=True,
        says="Value and gradient are finite for entries of size 1e4 and beyond.",
    ),
    Types([Call(SMALL, 1.0)], weak=False, says="The answer is one float32."),
    Traces(
        [Call(SMALL, beta) for beta in (1.0, 10.0, 100.0)],
        says="It is traced once for three values of beta.",
    ),
    Vmap(
        [Call(np.stack([SMALL, -SMALL]), number(2.0))],
        in_axes=(0, None),
        says="Under jax.vmap it does for each row what it does for one.",
    ),
]
