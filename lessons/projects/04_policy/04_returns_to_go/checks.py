"""Checks for the returns of an episode."""

import jax
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, SameSize, Traces, Types, Vmap


def array(values):
    """Return a float32 array."""
    return np.array(values, np.float32)


ONES = array([1, 1, 1])
ALL = np.array([True, True, True])
SOME = np.array([True, True, False])

EXAMPLES = [
    Call(ONES, ALL, 0.5).gives([1.75, 1.5, 1.0]),
    Call(ONES, SOME, 0.5).gives([1.5, 1.0, 0.0]),
    Call(array([0, 0, 8]), ALL, 0.5).gives([2.0, 4.0, 8.0]),
]


def rewards(rng, n):
    """Return n rewards of both signs."""
    return rng.normal(size=n).astype(np.float32)


def until(n, end):
    """Return a mask of n steps of which the first `end` count."""
    return np.arange(n) < end


def hidden(rng):
    """Yield episodes that end early, late and at once, with discounts from 0 to 1."""
    yield Call(rewards(rng, 8), until(8, 5), 0.9)
    yield Call(rewards(rng, 8), until(8, 8), 1.0).when("a discount of 1")
    yield Call(rewards(rng, 8), until(8, 6), 0.0).when("a discount of 0")
    yield Call(rewards(rng, 8), until(8, 0), 0.9).when("an episode in which no step counts")
    yield Call(1000 * rewards(rng, 8), until(8, 1), 0.9).when("an episode of a single step")
    yield Call(rewards(rng, 40), until(40, 39), 0.05).when("a small discount and many steps")


RNG = np.random.default_rng(5)


def plain_loop(returns_to_go):
    """Return how far an episode of 100 steps is from a loop in double precision."""
    given, alive, later, expected = rewards(RNG, 100), until(100, 80), 0.0, []
    for reward, counts in zip(given[::-1], alive[::-1], strict=True):
        later = (float(reward) if counts else 0.0) + 0.98 * later
        expected.append(later)
    found = np.asarray(jax.jit(returns_to_go)(given, alive, 0.98))
    off = np.abs(found - expected[::-1]).max()
    return None if off < 1e-3 else f"the largest difference is {off:.2g}"


PROPERTIES = [
    Traces([Call(ONES, ALL, 0.5), Call(2 * ONES, SOME, 0.9)]),
    Vmap(
        [Call(RNG.normal(size=(4, 6)).astype(np.float32), np.tri(4, 6) > 0, 0.9)],
        in_axes=(0, 0, None),
        says="Under jax.vmap, each episode has its own returns.",
    ),
    Types([Call(ONES, ALL, 0.5)], weak=False),
    SameSize(
        [Call(rewards(RNG, 4), until(4, 2), 0.9), Call(rewards(RNG, 300), until(300, 99), 0.9)],
        factor=6.0,
        says="300 steps need hardly more equations than four.",
    ),
    Custom("plain-loop", "100 steps give what a plain loop gives.", plain_loop),
]

RIGHT_TOO = {
    "return jax.lax.scan(back, 0.0, counted, reverse=True)[1]": (
        "A number of Python in the carry takes the dtype of what it is added to."
    ),
}
