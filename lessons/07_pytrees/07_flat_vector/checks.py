"""Checks for flat-vector."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, SameSize, Types, Uses

STATIC = ("loss", "steps")


def loss(t):
    return (t["x"] - 3.0) ** 2 + jnp.sum(t["y"] ** 2)


def steep(x):
    """Return a loss of a single array, with large gradients."""
    return jnp.sum((x - 100.0) ** 2)


def rent(t):
    """Return a loss with an integer in it: the days that something is rented."""
    paid, (days, tools) = t
    return jnp.sum((paid - days * tools) ** 2) / 20


def tree():
    """Return the tree of the examples."""
    return {"x": np.array(0.0, np.float32), "y": np.array([1.0, 2.0], np.float32)}


def rented(rng):
    """Return a tree of floats and an integer."""
    tools = rng.normal(size=(2, 2)).astype(np.float32)
    return (np.ones(2, np.float32), [np.array(3, np.int32), tools])


EXAMPLES = [
    Call(loss, tree(), 1).gives({"x": 0.6, "y": [0.8, 1.6]}),
    Call(loss, tree(), 2).gives({"x": 1.08, "y": [0.64, 1.28]}),
]


def hidden(rng):
    """Yield many steps, none, an integer next to tables of floats, and a single array."""
    yield Call(loss, tree(), 12).when("many steps")
    yield Call(rent, rented(rng), 5).when("an integer leaf")
    yield Call(loss, tree(), 0).when("no steps")
    yield Call(steep, np.array([[1.0, -500.0]], np.float32), 3).when(
        "a single array with large gradients"
    )


FIXED = np.random.default_rng(0)

PROPERTIES = [
    Types(
        [Call(rent, rented(FIXED), 2)],
        weak=False,
        says="Each leaf comes back with its shape and dtype: an integer stays an integer.",
    ),
    SameSize(
        [Call(loss, tree(), 3), Call(loss, tree(), 30)],
        says="Thirty steps take no more equations than three.",
    ),
    Uses(
        [Call(loss, tree(), 3)],
        ("scan", "while"),
        says="The steps are one loop in the program.",
    ),
]
