"""Checks for chunked-map."""

import re

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import (
    Call,
    Custom,
    Gradient,
    LargestIntermediate,
    SameSize,
    Traces,
    Types,
    Uses,
)

STATIC = ("f", "batch")


def spread(x):
    """Return one number, with a table on the way."""
    return jnp.sum(jnp.abs(x[:, None] - x[None, :]))


def ranked(x):
    """Return an array of the same shape, with its elements in another order."""
    return jnp.sort(x)[::-1] - x[0]


XS = np.array([[0.0, 1.0], [0.0, 2.0], [5.0, 5.0], [1.0, 0.0], [0.0, 3.0]], np.float32)

EXAMPLES = [
    Call(spread, XS, 2).gives([2.0, 4.0, 0.0, 2.0, 6.0]),
    Call(spread, XS, 8).gives([2.0, 4.0, 0.0, 2.0, 6.0]),
]


def largest_place(x):
    """Return an integer."""
    return jnp.argmax(x)


def squared(x):
    """Return the square of a number or an array."""
    return x * x


def points(n, width=8):
    """Return n examples of `width` numbers."""
    return np.random.default_rng(n).normal(size=(n, width)).astype(np.float32)


def hidden(rng):
    """Yield remainders of several sizes, chunks of one, other shapes and dtypes."""
    yield Call(spread, points(6), 3).when("no remainder")
    yield Call(ranked, points(7), 3).when("a remainder of one")
    yield Call(ranked, rng.normal(size=(3, 2)).astype(np.float32), 1).when("chunks of one")
    yield Call(largest_place, points(7, 3), 4).when("a function that returns an integer")
    yield Call(squared, points(5, 1)[:, 0], 2).when("examples that are numbers")
    yield Call(squared, points(5, 6).reshape(5, 3, 2), 3).when("examples that are tables")
    yield Call(ranked, points(1, 4), 3).when("a single example")


def goes_by_chunks(map_chunked):
    """Return a message if few tables of 6 by 6, one for each example, are computed together."""
    traced = jax.make_jaxpr(lambda xs: map_chunked(spread, xs, 8))(points(64, 6))
    together = max((int(n) for n in re.findall(r"\bf32\[(\d+),6,6\]", str(traced))), default=1)
    return None if together > 4 else f"chunks of 8 were allowed, but it computed {together} at once"


PROPERTIES = [
    LargestIntermediate(
        # 64 tables of 64 numbers are 4096; 8 of them are 512, as many as the batch has itself.
        [Call(spread, points(64), 8)],
        at_most=512,
        says="Of 64 examples it computes 8 at once, in chunks of 8.",
    ),
    LargestIntermediate(
        [Call(spread, points(64), 2)],
        at_most=512,
        name="memory-of-small-chunks",
        says="Of 64 examples it computes 2 at once, in chunks of 2.",
    ),
    Uses(
        [Call(spread, points(20), 8)],
        primitives=("scan", "while"),
        name="loop",
        says="It runs in a loop of JAX.",
    ),
    SameSize(
        [Call(spread, points(20), 8), Call(spread, points(84), 8)],
        says="84 examples take no more equations than 20.",
    ),
    Custom("chunks", "Where it may, it computes several examples at once.", goes_by_chunks),
    Types(
        [Call(largest_place, points(5, 3), 2)],
        weak=False,
        says="The answer has the shape and dtype that jax.vmap(f) gives.",
    ),
    Gradient(
        [Call(ranked, points(5), 2)], argnums=1, says="Its gradient with respect to xs is right."
    ),
    Traces(
        [Call(spread, XS, 2), Call(spread, XS * 2, 2), Call(spread, XS, 3)],
        times=2,
        says="It is traced once for each chunk size.",
    ),
]
