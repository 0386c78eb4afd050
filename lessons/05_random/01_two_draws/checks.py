"""What two-draws asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, KeysOnce, Traces

STATIC = ("n",)


def subject(module):
    """Return what must be so whichever numbers come: the shape."""

    def shape(key, n):
        return jnp.array(jnp.shape(module.two_normals(key, n)))

    shape.draw = module.two_normals
    return shape


EXAMPLES = [
    Call(jax.random.key(0), 3).gives([2, 3]),
    Call(jax.random.key(0), 1).gives([2, 1]),
]


def has_no_number_twice(shape):
    """Say how many numbers come twice."""
    draws = np.asarray(jax.jit(shape.draw, static_argnums=1)(jax.random.key(0), 3))
    twice = draws.size - np.unique(draws).size
    return f"of {draws.size} numbers, {twice} had been drawn before" if twice else None


def follows_the_key(shape):
    """Say whether equal keys give equal numbers, and other keys other ones."""
    draw = jax.jit(shape.draw, static_argnums=1)
    first, again, other = (np.asarray(draw(jax.random.key(seed), 3)) for seed in (5, 5, 6))
    if (first == other).any():
        return "two different keys gave the same numbers"
    jax.clear_caches()  # so that it is traced again
    if not (first == again).all() or not (first == np.asarray(draw(jax.random.key(5), 3))).all():
        return "two calls with the same key gave different numbers"
    return None


def is_normal(shape):
    """Say how mean and spread of many numbers differ from 0 and 1."""
    rows = np.asarray(jax.jit(shape.draw, static_argnums=1)(jax.random.key(2), 4000))
    for mean, spread in zip(rows.mean(axis=1), rows.std(axis=1), strict=True):
        if abs(mean) > 0.08 or abs(spread - 1) > 0.08:
            return f"a row of 4000 numbers has mean {mean:.2f} and standard deviation {spread:.2f}"
    return None


PROPERTIES = [
    KeysOnce([Call(jax.random.key(3), 3)], says="No key is used twice."),
    Custom("all-different", "No number is drawn twice.", has_no_number_twice),
    Custom("follows-the-key", "The key decides about the numbers, and it alone.", follows_the_key),
    Custom("normal", "Each row has mean 0 and standard deviation 1.", is_normal),
    Traces(
        [Call(jax.random.key(seed), 3) for seed in range(3)],
        says="Three calls with other keys trace it once.",
    ),
]
