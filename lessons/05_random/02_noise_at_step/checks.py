"""What noise-at-step asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, KeysOnce, Traces

STATIC = ("shape",)


def subject(module):
    """Return what must be so whichever numbers come: the shape."""

    def found_shape(key, step, shape):
        return jnp.array(jnp.shape(module.noise(key, step, shape)))

    found_shape.draw = jax.jit(module.noise, static_argnums=2)
    return found_shape


EXAMPLES = [
    Call(jax.random.key(0), 0, (3,)).gives([3]),
    Call(jax.random.key(0), 7, (2, 4)).gives([2, 4]),
]

STEPS = (0, 1, 2, 3, 999, 1000, 1001, 100_000)


def draws_of(found_shape, seed):
    """Return the noise of some steps, one row each."""
    key = jax.random.key(seed)
    return np.stack([np.asarray(found_shape.draw(key, step, (3,))) for step in STEPS])


def follows_the_step(found_shape):
    """Say which two steps have the same noise."""
    draws = draws_of(found_shape, 0)
    for i, j in zip(*np.triu_indices(len(STEPS), 1), strict=True):
        if (draws[i] == draws[j]).any():
            return f"steps {STEPS[i]} and {STEPS[j]} have the same noise"
    return None


def follows_the_key(found_shape):
    """Say whether another key gives other noise, and the same key the same."""
    one, other, again = (draws_of(found_shape, seed) for seed in (0, 1, 0))
    if (one == other).any():
        return "two different keys gave the same noise at the same step"
    if (one != again).any():
        return "the same key and step gave different noise"
    return None


def is_normal(found_shape):
    """Say how mean and spread of many numbers differ from 0 and 1."""
    draws = np.asarray(found_shape.draw(jax.random.key(0), 5, (4000,)))
    mean, spread = draws.mean(), draws.std()
    if abs(mean) > 0.08 or abs(spread - 1) > 0.08:
        return f"4000 numbers have mean {mean:.2f} and standard deviation {spread:.2f}"
    return None


PROPERTIES = [
    KeysOnce([Call(jax.random.key(3), 5, (3,))], says="No key is used twice."),
    Custom("follows-the-step", "Different steps have different noise.", follows_the_step),
    Custom("follows-the-key", "Different keys have different noise.", follows_the_key),
    Custom("normal", "The noise has mean 0 and standard deviation 1.", is_normal),
    Traces(
        [Call(jax.random.key(0), step, (3,)) for step in (0, 1, 1000)],
        says="Three calls with other steps trace it once.",
    ),
]
