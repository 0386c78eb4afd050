"""What first-gradient requires."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, SameSize, Traces, Types

STATIC = ("height",)


def bowl(place):
    return jnp.sum(place**2)


def waves(place):
    """A hill that is lopsided: its coordinates do different things."""
    weights = jnp.arange(1.0, place.size + 1).reshape(place.shape)
    return jnp.sum(weights * jnp.sin(place)) + jnp.prod(place)


def plateau(place):
    """A gentle slope, very high up."""
    return 5000.0 + jnp.sum(place**2)


def ramp(place):
    return 3.0 * place


def of(*numbers):
    """Return an array of floats."""
    return np.array(numbers, np.float32)


EXAMPLES = [
    Call(bowl, of(1.0, -3.0)).gives([2.0, -6.0]),
    Call(bowl, of(0.0, 0.5)).gives([0.0, 1.0]),
]


def hidden(rng):
    """A lopsided hill, a high one, one coordinate, one without an axis, and a table."""
    yield Call(waves, rng.normal(size=4).astype(np.float32)).when("a lopsided hill")
    yield Call(plateau, of(1.0, 0.25)).when("a large height")
    yield Call(ramp, np.float32(2.0)).when("a single coordinate")
    yield Call(waves, of(0.5)).when("an array of one coordinate")
    yield Call(waves, rng.normal(size=(2, 3)).astype(np.float32)).when("a table of coordinates")


PROPERTIES = [
    Types(
        [Call(bowl, of(1.0, 2.0)), Call(bowl, of(1.0, 2.0).reshape(1, 2))],
        weak=False,
        says="The answer has the shape of place, and is float32.",
    ),
    Traces(
        [Call(bowl, of(1.0, place)) for place in (0.0, 1.0, 2.0)],
        says="It is traced once for three places of one shape.",
    ),
    SameSize(
        [Call(bowl, np.ones(3, np.float32)), Call(bowl, np.ones(30, np.float32))],
        says="Thirty coordinates take no more operations than three.",
    ),
]
