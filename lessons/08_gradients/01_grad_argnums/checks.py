"""What grad-argnums asks for."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Traces, Types, Vmap

X = np.array([[1], [2], [3]], np.int32)
Y = np.array([2, 4, 6], np.int32)


def of(*numbers):
    """Return an array of floats."""
    return np.array(numbers, np.float32)


def number(value):
    """Return one number, as an array."""
    return np.array(value, np.float32)


EXAMPLES = [
    Call(of(2.0), number(0.0), X, Y).gives(([0.0], 0.0)),
    Call(of(0.0), number(1.0), X, Y).gives(([-14.666667], -6.0)),
]


def fit(rng, n, k):
    """Return a call with random parameters and data."""
    shapes = ((k,), (), (n, k), (n,))
    return Call(*(rng.normal(size=shape).astype(np.float32) for shape in shapes))


def hidden(rng):
    """Several columns, and a single row."""
    yield fit(rng, 5, 3).when("several columns")
    yield fit(rng, 1, 2).when("a single row")


FIXED = np.random.default_rng(1)

PROPERTIES = [
    Types(
        [fit(FIXED, 4, 2)],
        says="The answer is a tuple of two float32 arrays with the shapes of w and b.",
    ),
    Traces(
        [Call(of(slope), number(0.0), X, Y) for slope in (1.0, 2.0, 3.0)],
        says="It is traced once for three slopes of one shape.",
    ),
    Vmap(
        [Call(of(1.0, 2.0).reshape(2, 1), of(0.0, 1.0), X, Y)],
        in_axes=(0, 0, None, None),
        says="jax.vmap can map it over two pairs of parameters.",
    ),
]
