"""Checks for noise-at-step."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, KeysOnce, Traces

STATIC = ("shape",)


def subject(module):
    """Return a function whose answer does not depend on the numbers: zeros of the same shape."""

    def found_shape(key, step, shape):
        return jax.tree.map(jnp.zeros_like, module.noise(key, step, shape))

    found_shape.draw = jax.jit(module.noise, static_argnums=2)
    return found_shape


EXAMPLES = [
    Call(jax.random.key(0), 0, (3,)).gives([0.0] * 3),
    Call(jax.random.key(0), 7, (2, 4)).gives([[0.0] * 4] * 2),
]


def hidden(rng):
    """Yield a single number."""
    yield Call(jax.random.key(0), 5, ()).when("the shape of a single number, ()")


STEPS = (0, 1, 2, 3, 999, 1000, 1001, 100_000)


def draws_of(found_shape, seed):
    """Return the noise of some steps, one row each."""
    key = jax.random.key(seed)
    return np.stack([np.asarray(found_shape.draw(key, step, (3,))) for step in STEPS])


def follows_the_step(found_shape):
    """Return which two steps have the same or related noise, or None."""
    draws = draws_of(found_shape, 0)
    for i, j in zip(*np.triu_indices(len(STEPS), 1), strict=True):
        if (draws[i] == draws[j]).any():
            return f"steps {STEPS[i]} and {STEPS[j]} have the same noise"
    key = jax.random.key(4)
    one, next_one = (np.asarray(found_shape.draw(key, step, (4000,))) for step in (7, 8))
    likeness = np.corrcoef(one, next_one)[0, 1]
    if not abs(likeness) < 0.1:
        return f"the correlation of the noise of steps 7 and 8 is {likeness:.2f}, not 0"
    return None


def follows_the_key(found_shape):
    """Return a message unless equal keys give equal noise, and other keys other noise."""
    one, other, again = (draws_of(found_shape, seed) for seed in (0, 1, 0))
    if (one == other).any():
        return "two different keys gave the same noise at the same step"
    if (one != again).any():
        return "the same key and step gave different noise"
    return None


def is_normal(found_shape):
    """Return how many numbers differ from a standard normal distribution, or None."""
    draws = np.asarray(found_shape.draw(jax.random.key(0), 5, (4000,)))
    mean, spread = draws.mean(), draws.std()
    if abs(mean) > 0.08 or abs(spread - 1) > 0.08:
        return f"4000 numbers have mean {mean:.2f} and standard deviation {spread:.2f}"
    beyond = (abs(draws) > 2).mean()
    if not 0.02 < beyond < 0.08:
        return f"{beyond:.1%} of 4000 numbers lie beyond -2 and 2; in a normal distribution 4.6%"
    return None


PROPERTIES = [
    KeysOnce([Call(jax.random.key(3), 5, (3,))], says="No key is used twice."),
    Custom(
        "follows-the-step", "Different steps have different, independent noise.", follows_the_step
    ),
    Custom("follows-the-key", "Different keys have different noise.", follows_the_key),
    Custom("normal", "The noise is from the standard normal distribution.", is_normal),
    Traces(
        [Call(jax.random.key(0), step, (3,)) for step in (0, 1, 1000)],
        says="It is traced once for repeated calls with different steps.",
    ),
]
