"""Checks for pairwise-kernel."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Gradient, SameSize, Types, Vmap

STATIC = ("k",)


def ahead(x, y):
    """Return by how much x is ahead of y."""
    return jnp.sum(x - y)


def mixed(x, y):
    """Return a number that is not symmetric in x and y, and not computed element by element."""
    weights = jnp.arange(1.0, x.shape[0] + 1.0)
    return jnp.exp(-jnp.sqrt(1.0 + jnp.sum((x - y) ** 2))) + (weights @ x) * jnp.max(y)


EXAMPLES = [
    Call(
        ahead,
        np.array([[1.0], [5.0]], np.float32),
        np.array([[1.0], [2.0], [3.0]], np.float32),
    ).gives([[0.0, -1.0, -2.0], [4.0, 3.0, 2.0]]),
    Call(
        jnp.dot,
        np.array([[1.0, 2.0]], np.float32),
        np.array([[3.0, 4.0], [0.0, 1.0]], np.float32),
    ).gives([[11.0, 2.0]]),
]


def points(n, m, *batch):
    """Return two sets of points, the same every time."""
    rng = np.random.default_rng(n * m)
    return [rng.normal(size=(*batch, size, 2)).astype(np.float32) for size in (n, m)]


def hidden(rng):
    """Yield a square table, one that is not, and a single pair."""
    for n, m, reason in (
        (2, 2, "a square table of a function that is not symmetric"),
        (3, 2, ""),
        (1, 1, "a single pair"),
    ):
        pair = (rng.normal(size=(size, 2)).astype(np.float32) for size in (n, m))
        yield Call(mixed, *pair).when(reason)


PROPERTIES = [
    SameSize(
        [Call(mixed, *points(2, 2)), Call(mixed, *points(9, 8))],
        says="A table of 9 by 8 takes no more equations than one of 2 by 2.",
    ),
    Types([Call(mixed, *points(5, 4))], says="5 and 4 points give an array of shape (5, 4)."),
    Vmap(
        [Call(mixed, *points(3, 2, 2))],
        in_axes=(None, 0, 0),
        says="Under jax.vmap each pair of sets gets the answer of a single call.",
    ),
    Gradient(
        [Call(mixed, *points(3, 2))],
        argnums=(1, 2),
        says="Its gradients with respect to X and Y are right.",
    ),
]
