"""What ragged-mean asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Gradient, SameSize, Traces

NAN, INF = np.nan, np.inf
X = np.array([[1.0, 3.0, NAN], [4.0, 5.0, 6.0]], np.float32)


def lengths(*numbers):
    """Lengths as int32."""
    return np.array(numbers, np.int32)


EXAMPLES = [
    Call(X, lengths(2, 3)).gives([2.0, 5.0]),
    Call(X, lengths(0, 1)).gives([0.0, 4.0]),
]


def hidden(rng):
    """Padding of many kinds."""
    for padding in (0.0, 100.0, NAN, INF):
        rows = rng.normal(3.0, 1.0, size=(2, 3)).astype(np.float32)
        rows[0, 1:] = padding
        yield Call(rows, lengths(1, 3))
    yield Call(np.full((2, 3), NAN, np.float32), lengths(0, 0))


def runs_without_jit(masked_mean):
    """Say what comes without the compiler, which may make a choice of a product."""
    with jax.disable_jit():
        found = np.asarray(masked_mean(jnp.asarray(X), jnp.array([2, 3])))
    if np.allclose(found, [2.0, 5.0]):
        return None
    return f"under jax.disable_jit() it gives {found.tolist()} for the first example"


def ones(rows, width):
    """A table of ones, every row of length 1."""
    return Call(np.ones((rows, width), np.float32), np.ones(rows, np.int32))


PROPERTIES = [
    Custom(
        "without-jit", "The padding does not matter without the compiler either.", runs_without_jit
    ),
    Gradient(
        [
            Call(X, lengths(2, 3)),
            Call(np.array([[NAN, INF, 0.0], [0.0, 2.0, NAN]], np.float32), lengths(0, 2)),
        ],
        finite=True,
        says="Its gradient in X is finite, and 0 in the padding.",
    ),
    SameSize(
        [ones(2, 3), ones(20, 30)],
        says="20 rows of width 30 take no more equations than 2 of width 3.",
    ),
    Traces(
        [Call(X, lengths(2, 3)), Call(X, lengths(1, 1)), Call(X, lengths(0, 2))],
        says="Three calls with other lengths trace it once.",
    ),
]
