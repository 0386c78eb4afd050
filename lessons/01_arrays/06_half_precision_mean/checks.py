"""What half-precision-mean requires."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Finite, Types


def many(value):
    """Return 70,000 equal elements."""
    return np.full(70_000, value, np.float16)


EXAMPLES = [
    Call(np.array([1.0, 2.0, 6.0], np.float16)).gives(3.0),
    Call(many(1.5)).gives(1.5),
]


def hidden(rng):
    """A table, large numbers, many different ones, both signs, and what is not finite."""
    yield Call(rng.normal(size=(4, 3)).astype(np.float16)).when("a table")
    yield Call(np.array([60000.0, 60000.0, 30000.0], np.float16)).when("large numbers")
    yield Call((10 + rng.normal(size=70_000)).astype(np.float16)).when("70,000 elements")
    yield Call(many(-1000.0)).when("70,000 elements")
    yield Call(np.array([1.0, np.nan, 2.0], np.float16)).when("NaN among the elements")
    yield Call(np.array([1.0, -np.inf, 2.0], np.float16)).when("an infinity among the elements")
    yield Call(np.array([7.25], np.float16)).when("one element")


def loses_digits(mean_f16):
    """Return a mean that is not the nearest float16."""
    for value in (2047.0, 1.0009765625, -0.33349609375):
        answer = float(mean_f16(jnp.full(3, value, jnp.float16)))
        if answer != value:
            return f"the mean of three elements, all {value!r}, is {answer!r}"
    return None


PROPERTIES = [
    Types(
        [Call(np.ones(3, np.float16)), Call(np.ones((2, 3), np.float16))],
        says="The answer is one number of dtype float16.",
    ),
    Custom("digits", "It keeps all the digits of a float16.", loses_digits),
    Finite(
        [Call(many(65504.0)), Call(many(-65504.0))],
        says="It is finite whenever the elements of x are.",
    ),
]
