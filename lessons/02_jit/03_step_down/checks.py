"""What step-down requires."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, SameSize, Traces, Types

STATIC = ("height",)


def bowl(place):
    return jnp.sum(place**2)


def hill(place):
    """A lopsided hill, where the place itself does not point uphill."""
    weights = jnp.arange(1.0, place.size + 1).reshape(place.shape)
    return jnp.sum(weights * jnp.cos(place)) + jnp.prod(place)


def ramp(place):
    return 3.0 * place


def of(*numbers):
    """Return an array of floats."""
    return np.array(numbers, np.float32)


START = of(1.0, -3.0)
EXAMPLES = [
    Call(bowl, START, 0.25).gives([0.5, -1.5]),
    Call(bowl, START, 0.5).gives([0.0, 0.0]),
]


def hidden(rng):
    """Another hill, level ground, no step, too long a step, one number, and a table."""
    yield Call(hill, rng.normal(size=4).astype(np.float32), 0.1).when("a lopsided hill")
    yield Call(bowl, of(0.0, 0.0), 0.1).when("level ground")
    yield Call(hill, of(0.5, 2.0), 0.0).when("a rate of 0")
    yield Call(bowl, of(2.0, 1.0), 3.0).when("a step that goes up again")
    yield Call(ramp, np.float32(2.0), 0.5).when("a single coordinate")
    table = rng.normal(size=(2, 3)).astype(np.float32)
    yield Call(hill, table, 0.1).when("a table of coordinates")


PROPERTIES = [
    Types(
        [Call(bowl, START, 0.25), Call(bowl, START.reshape(1, 2), 0.25)],
        weak=False,
        says="The answer has the shape of place, and is float32.",
    ),
    Traces(
        [Call(bowl, START, rate) for rate in (0.1, 0.2, 0.3)],
        says="It is traced once for three rates.",
    ),
    SameSize(
        [Call(bowl, np.ones(3, np.float32), 0.1), Call(bowl, np.ones(30, np.float32), 0.1)],
        says="Thirty coordinates take no more operations than three.",
    ),
]
