"""What causal attention is."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Finite, Gradient, NoConstants

ZEROS = np.zeros((1, 3, 2), np.float32)
VALUES = np.array([[[1.0, 0.0], [3.0, 4.0], [5.0, 2.0]]], np.float32)
SHARP = np.array([[[100.0], [100.0]]], np.float32)
KEYS = SHARP * np.array([[1.0], [-1.0]], np.float32)

EXAMPLES = [
    Call(ZEROS, ZEROS, VALUES).gives([[[1.0, 0.0], [2.0, 2.0], [3.0, 2.0]]]),
    Call(SHARP, KEYS, np.array([[[2.0], [8.0]]], np.float32)).gives([[[2.0], [2.0]]]),
]


def some(rng, *shape, scale=1.0):
    """Draw an array of floats."""
    return (scale * rng.normal(size=shape)).astype(np.float32)


def hidden(rng):
    """Yield several heads and lengths, one place, and scores that are large."""
    yield Call(*(some(rng, 4, 6, 3) for _ in range(3)))
    yield Call(*(some(rng, 2, 1, 4) for _ in range(3))).when("a length of 1")
    large = [some(rng, 2, 5, 4, scale=20.0) for _ in range(2)]
    yield Call(*large, some(rng, 2, 5, 4)).when("scores of several hundred")
    keys = some(rng, 1, 4, 2)
    keys[0, 3] = 1e6
    yield Call(np.ones((1, 4, 2), np.float32), keys, some(rng, 1, 4, 2)).when(
        "a later key with a huge score"
    )


def looks_ahead(attend):
    """Return which place changes when only later values change."""
    rng = np.random.default_rng(0)
    q, k, v = (some(rng, 2, 5, 3) for _ in range(3))
    before = np.asarray(attend(q, k, v))
    for place in range(4):
        later = v.copy()
        later[:, place + 1 :] += 1.0
        if not np.allclose(np.asarray(attend(q, k, later))[:, place], before[:, place], atol=1e-5):
            return f"place {place} changes when only the values after it change"
    return None


RNG = np.random.default_rng(1)
QKV = [some(RNG, 2, 4, 3) for _ in range(3)]

PROPERTIES = [
    Gradient([Call(*QKV)], argnums=(0, 1, 2)),
    NoConstants([Call(*(some(RNG, 2, 32, 3) for _ in range(3)))]),
    Finite([Call(*QKV)], gradient=True),
    Custom("ahead", "No place depends on later ones.", looks_ahead),
]

RIGHT_TOO = {
    "return jax.nn.softmax(scores) @ v": "The last axis is the default of softmax.",
}
