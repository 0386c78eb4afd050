"""What chunked-map asks for."""

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
    Uses,
)

STATIC = ("f", "batch")


def spread(x):
    """A table for each example, and one number in the end."""
    return jnp.sum(jnp.abs(x[:, None] - x[None, :]))


def ranked(x):
    """An example keeps its shape, and its elements do not stay where they are."""
    return jnp.sort(x)[::-1] - x[0]


XS = np.array([[0.0, 1.0], [0.0, 2.0], [5.0, 5.0], [1.0, 0.0], [0.0, 3.0]], np.float32)

EXAMPLES = [
    Call(spread, XS, 2).gives([2.0, 4.0, 0.0, 2.0, 6.0]),
    Call(spread, XS, 8).gives([2.0, 4.0, 0.0, 2.0, 6.0]),
]


def points(n, width=8):
    """As many examples of 8 numbers."""
    return np.random.default_rng(n).normal(size=(n, width)).astype(np.float32)


def hidden(rng):
    """No rest, a rest of one, an array for an answer, one at a time."""
    yield Call(spread, points(6), 3)
    yield Call(ranked, points(7), 3)
    yield Call(ranked, rng.normal(size=(3, 2)).astype(np.float32), 1)


def goes_by_chunks(map_chunked):
    """Say how many examples are computed at once: how many tables of 6 by 6 lie together."""
    traced = jax.make_jaxpr(lambda xs: map_chunked(spread, xs, 8))(points(64, 6))
    together = max((int(n) for n in re.findall(r"\bf32\[(\d+),6,6\]", str(traced))), default=1)
    return None if together > 4 else f"chunks of 8 were allowed, and it computed {together} at once"


PROPERTIES = [
    LargestIntermediate(
        # 64 tables of 64 numbers are 4096; 8 of them are 512, as many as the batch has itself.
        [Call(spread, points(64), 8)],
        at_most=512,
        says="Of 64 examples it computes 8 at once.",
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
    Gradient([Call(ranked, points(5), 2)], argnums=1, says="It has a gradient in xs."),
    Traces(
        [Call(spread, XS, 2), Call(spread, XS * 2, 2), Call(spread, XS, 3)],
        times=2,
        says="It is traced once for each size of a chunk.",
    ),
]
