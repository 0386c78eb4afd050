"""Checks for two-draws."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, KeysOnce, Traces

STATIC = ("n",)


def subject(module):
    """Return a function whose answer does not depend on the numbers: zeros of the same shape."""

    def shape(key, n):
        return jax.tree.map(jnp.zeros_like, module.two_normals(key, n))

    shape.draw = module.two_normals
    return shape


EXAMPLES = [
    Call(jax.random.key(0), 3).gives(np.zeros((2, 3)).tolist()),
    Call(jax.random.key(0), 1).gives(np.zeros((2, 1)).tolist()),
]


def has_no_number_twice(shape):
    """Return how many numbers come twice, or None."""
    draws = np.asarray(jax.jit(shape.draw, static_argnums=1)(jax.random.key(0), 3))
    twice = draws.size - np.unique(draws).size
    return f"of {draws.size} numbers, {twice} came before" if twice else None


def follows_the_key(shape):
    """Return a message unless equal keys give equal numbers, and other keys other numbers."""
    draw = jax.jit(shape.draw, static_argnums=1)
    first, again, other = (np.asarray(draw(jax.random.key(seed), 3)) for seed in (5, 5, 6))
    if (first == other).any():
        return "two different keys gave the same numbers"
    jax.clear_caches()  # so that it is traced again
    if not (first == again).all() or not (first == np.asarray(draw(jax.random.key(5), 3))).all():
        return "two calls with the same key gave different numbers"
    return None


def is_normal(shape):
    """Return how many numbers differ from a standard normal distribution, or None."""
    rows = np.asarray(jax.jit(shape.draw, static_argnums=1)(jax.random.key(2), 4000))
    for row in rows:
        mean, spread = row.mean(), row.std()
        if abs(mean) > 0.08 or abs(spread - 1) > 0.08:
            return f"a row of 4000 numbers has mean {mean:.2f} and standard deviation {spread:.2f}"
        beyond = (abs(row) > 2).mean()
        if not 0.02 < beyond < 0.08:
            return (
                f"{beyond:.1%} of 4000 numbers lie beyond -2 and 2; in a normal distribution 4.6%"
            )
    return None


def has_independent_rows(shape):
    """Return a message if one row follows from the other."""
    first, second = np.asarray(jax.jit(shape.draw, static_argnums=1)(jax.random.key(2), 4000))
    for moved in (second, np.roll(second, 1), np.roll(second, -1), second[::-1]):
        likeness = np.corrcoef(first, moved)[0, 1]
        if abs(likeness) > 0.1:
            return f"over 4000 numbers, the correlation of the two rows is {likeness:.2f}, not 0"
    return None


PROPERTIES = [
    KeysOnce([Call(jax.random.key(3), 3)], says="No key is used twice."),
    Custom("all-different", "No number comes twice.", has_no_number_twice),
    Custom("follows-the-key", "The key alone decides the numbers.", follows_the_key),
    Custom("normal", "The numbers are from the standard normal distribution.", is_normal),
    Custom("independent", "Neither row can be computed from the other.", has_independent_rows),
    Traces(
        [Call(jax.random.key(seed), 3) for seed in range(3)],
        says="It is traced once for repeated calls with different keys.",
    ),
]
