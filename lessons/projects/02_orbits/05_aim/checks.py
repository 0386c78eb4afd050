"""Checks for a probe that reaches its target."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, SameSize, Traces

STATIC = ("steps", "rounds")


def subject(module):
    """Return aim, with what the tests need."""

    def aim(velocity, start, state, m, target, dt, softening, steps, rounds):
        return module.aim(velocity, start, state, m, target, dt, softening, steps, rounds)

    aim.fly = jax.jit(module.fly, static_argnums=6)
    aim.compiled = jax.jit(module.aim, static_argnums=(7, 8))
    return aim


def array(values):
    """Return a float32 array."""
    return np.array(values, np.float32)


EMPTY = ((array([[5, 5]]), array([[0, 0]])), array([0]))

EXAMPLES = [
    Call(array([0, 0]), array([0, 0]), *EMPTY, array([2, 4]), 0.5, 0.0, 4, 1).gives([1.0, 2.0]),
    Call(array([3, 1]), array([0, 0]), *EMPTY, array([0, -2]), 0.5, 0.0, 4, 1).gives([0.0, -1.0]),
]

SUN = ((array([[0, 0]]), array([[0, 0]])), array([1]))
START, GUESS, TARGET = array([1, 0]), array([0.1, 0.9]), array([0.2, 1.1])


def hidden(rng):
    """Yield flights past a sun, with one, two and no rounds."""
    yield Call(GUESS, START, *SUN, TARGET, 0.1, 0.1, 12, 1).when("a flight past a sun")
    yield Call(GUESS, START, *SUN, TARGET, 0.1, 0.1, 12, 2).when("two rounds past a sun")
    yield Call(GUESS + array([0.1, 0]), START, *SUN, TARGET, 0.1, 0.1, 12, 2)
    yield Call(GUESS, START, *SUN, TARGET, 0.1, 0.1, 12, 0).when("no rounds")


def flight(aim, velocity):
    """Return how far from the target a flight around the sun ends, as a vector."""
    return aim.fly(velocity, START, *SUN, 0.02, 0.05, 100)[-1] - TARGET


def improve(aim, velocity):
    """Return what one round makes of a velocity for that flight."""
    return aim.compiled(velocity, START, *SUN, TARGET, 0.02, 0.05, 100, 1)


def measured(aim):
    """Compare the change of velocity with differences of two flights."""
    guess = jnp.asarray(GUESS)
    change = improve(aim, guess) - guess
    h = 0.02 / jnp.linalg.norm(change)
    moved = (flight(aim, guess + h * change) - flight(aim, guess - h * change)) / (2 * h)
    miss = flight(aim, guess)
    if np.allclose(moved, -miss, rtol=0.05, atol=0.02):
        return None
    says = "flights with slightly different velocities say that the change of the first round"
    return f"{says} moves the end by {np.round(moved, 2)}; the miss is {np.round(miss, 2)}"


def hits(aim):
    """Report how far from the target the probe ends after some rounds."""
    velocity = jnp.asarray(GUESS)
    for _ in range(6):
        velocity = improve(aim, velocity)
    far = np.linalg.norm(flight(aim, velocity))
    return None if far < 1e-3 else f"after six rounds it ends at distance {far:.2g}"


PROPERTIES = [
    SameSize(
        [
            Call(GUESS, START, *SUN, TARGET, 0.1, 0.1, 3, 1),
            Call(GUESS, START, *SUN, TARGET, 0.1, 0.1, 30, 5),
        ],
        says="More steps and more rounds take no more equations.",
    ),
    Traces(
        [
            Call(GUESS, START, *SUN, TARGET, 0.1, 0.1, 12, 2),
            Call(GUESS, START, *SUN, TARGET + 1, 0.2, 0.1, 12, 2),
        ]
    ),
    Custom("measured", "The slopes agree with differences of two flights.", measured),
    Custom("hits", "After six rounds the probe ends at the target.", hits),
]
