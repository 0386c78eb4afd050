"""Checks for ragged-mean."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Gradient, SameSize, Traces

NAN, INF = np.nan, np.inf
X = np.array([[1.0, 3.0, NAN], [4.0, 5.0, 6.0]], np.float32)


def lengths(*numbers):
    """Return lengths as int32."""
    return np.array(numbers, np.int32)


EXAMPLES = [
    Call(X, lengths(2, 3)).gives([2.0, 5.0]),
    Call(X, lengths(0, 1)).gives([0.0, 4.0]),
]


def hidden(rng):
    """Yield padding of many kinds, empty rows, and NaN and infinities that count."""
    for padding in (0.0, 100.0, NAN, INF):
        rows = rng.normal(3.0, 1.0, size=(2, 3)).astype(np.float32)
        rows[0, 1:] = padding
        yield Call(rows, lengths(1, 3)).when(f"a padding of {padding}")
    yield Call(np.full((2, 3), NAN, np.float32), lengths(0, 0)).when("empty rows")
    rows = np.array([[1.0, NAN, 5.0], [INF, 2.0, NAN]], np.float32)
    yield Call(rows, lengths(2, 2)).when("a NaN and an infinity that count")
    yield Call(np.array([[-INF, 1.0], [-1.0, 2.0]], np.float32), lengths(2, 1)).when(
        "an infinity that counts"
    )


def runs_without_jit(masked_mean):
    """Return what is wrong without the compiler, which may turn a product into a choice."""
    with jax.disable_jit():
        found = np.asarray(masked_mean(jnp.asarray(X), jnp.array([2, 3])))
        empty = np.asarray(masked_mean(jnp.full((2, 3), INF), jnp.array([0, 1])))
    if not np.allclose(found, [2.0, 5.0]):
        return f"under jax.disable_jit() it gives {found.tolist()} for the first example"
    if empty.tolist() != [0.0, INF]:
        return f"under jax.disable_jit() it gives {empty.tolist()}, not [0.0, inf]"
    return None


def ones(rows, width):
    """Return a call with a table of ones, every row of length 1."""
    return Call(np.ones((rows, width), np.float32), np.ones(rows, np.int32))


PROPERTIES = [
    Custom(
        "without-jit", "Without the compiler the padding does not matter either.", runs_without_jit
    ),
    Gradient(
        [
            Call(X, lengths(2, 3)),
            Call(np.array([[NAN, INF, 0.0], [0.0, 2.0, NAN]], np.float32), lengths(0, 2)),
        ],
        finite=True,
        says="Its gradient with respect to X is finite, and 0 in the padding.",
    ),
    SameSize(
        [ones(2, 3), ones(20, 30)],
        says="20 rows of width 30 take no more equations than 2 of width 3.",
    ),
    Traces(
        [Call(X, lengths(2, 3)), Call(X, lengths(1, 1)), Call(X, lengths(0, 2))],
        says="It is traced once for repeated calls with different lengths.",
    ),
]
