"""Checks for the accelerations of bodies that attract each other."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Gradient, SameSize, Traces, Vmap


def array(values):
    """Return a float32 array."""
    return np.array(values, np.float32)


EXAMPLES = [
    Call(array([[0, 0], [1, 0]]), array([1, 2]), 0.0).gives([[2.0, 0.0], [-1.0, 0.0]]),
    Call(array([[0, 0], [3, 0]]), array([125, 250]), 4.0).gives([[6.0, 0.0], [-3.0, 0.0]]),
]


def bodies(rng, n, d=2):
    """Return the places and masses of n bodies in d dimensions."""
    return rng.normal(size=(n, d)).astype(np.float32), rng.uniform(0.1, 2, n).astype(np.float32)


def hidden(rng):
    """Yield bodies in two and three dimensions, alone, without mass, and in the same place."""
    yield Call(*bodies(rng, 5), 0.0).when("a softening of 0")
    yield Call(*bodies(rng, 4, 3), 0.3).when("three dimensions")
    yield Call(*bodies(rng, 1), 0.0).when("a single body")
    yield Call(array([[0, 0], [1, 2], [-1, 1]]), array([1, 0, 2]), 0.1).when("a body without mass")
    yield Call(array([[0, 0], [1e-4, 0], [1, 1]]), array([1, 2, 1]), 0.0).when(
        "two bodies close together"
    )
    yield Call(array([[1, 1], [1, 1], [2, 0]]), array([1, 2, 3]), 0.5).when(
        "two bodies in the same place"
    )


RNG = np.random.default_rng(5)
X, M = bodies(RNG, 4)

PROPERTIES = [
    SameSize(
        [Call(*bodies(RNG, 3), 0.1), Call(*bodies(RNG, 12), 0.1)],
        says="Twelve bodies take no more equations than three.",
    ),
    Traces([Call(X, M, 0.1), Call(X + 1, 2 * M, 0.0)]),
    Gradient(
        [Call(X, M, 0.2), Call(X, M, 0.0).when("a softening of 0")],
        argnums=(0, 1),
        finite=True,
        says="Its gradients with respect to x and m are right, and never NaN.",
    ),
    Vmap(
        [Call(np.stack([X, 2 * X, X + 1]), np.stack([M, M, 2 * M]), 0.1)],
        in_axes=(0, 0, None),
        says="Under jax.vmap it does for each system what it does for one.",
    ),
]

RIGHT_TOO = {
    "itself = jnp.eye(x.shape[0])": "`where` takes every number but 0 for True.",
    "pull = jnp.where(itself, 0.0, m * jnp.where(itself, 2.0, square) ** -1.5)": (
        "The number for a body itself is discarded. It must only have a finite power."
    ),
}
