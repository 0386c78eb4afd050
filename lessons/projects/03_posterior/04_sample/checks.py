"""Checks for many chains, side by side."""

import functools

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, KeysOnce, SameSize, Traces

STATIC = ("logp", "n", "draws")

KEY = jax.random.key(0)


def bell(q):
    """Return the log density of independent standard normal numbers."""
    return -0.5 * jnp.sum(q**2)


def only_here(q):
    """Return 0 where all coordinates are 2, and -inf elsewhere."""
    return jnp.where(jnp.all(q == 2.0), 0.0, -jnp.inf) + 0.0 * jnp.sum(q)


COVARIANCE = np.array([[1.0, 0.6], [0.6, 0.8]], np.float32)


def tilted(q):
    """Return the log density of a normal distribution with mean (1, -2) and COVARIANCE."""
    off = q - jnp.array([1.0, -2.0])
    return -0.5 * off @ jnp.linalg.inv(COVARIANCE) @ off


def array(values):
    """Return a float32 array."""
    return np.array(values, np.float32)


EXAMPLES = [
    Call(KEY, bell, array([[1], [2]]), 0.0, 1, 3).gives(
        ([[[1.0], [1.0], [1.0]], [[2.0], [2.0], [2.0]]], [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]])
    ),
    Call(KEY, only_here, array([[2, 2]]), 0.5, 3, 2).gives(([[[2.0, 2.0], [2.0, 2.0]]], [[0, 0]])),
]

STARTS = array([[1, -2], [1, -2], [3, 0], [-2, 1], [0, 0], [2, -4], [1, 1], [-1, -2]])


@functools.cache
def chains(sample):
    """Return eight chains of 600 draws."""
    run = jax.jit(sample, static_argnums=(1, 4, 5))
    return tuple(map(np.asarray, run(jax.random.key(1), tilted, STARTS, 0.5, 3, 600)))


def apart(sample):
    """Return what is wrong with where the chains begin, and whether they differ."""
    places, probabilities = chains(sample)
    if (places[:, 0] == STARTS).all():
        return "every chain begins with its start: the places are one late"
    if np.array_equal(places[0], places[1]):
        return "two chains with the same start make the same moves"
    if np.isin(probabilities, (0, 1)).all():
        return "the probabilities are all 0 or 1"
    repeated = (places[:, 1:] == places[:, :-1]).all(axis=-1)
    if repeated.mean() > 0.5:
        return "most places are repeated"
    moved = 1 - repeated.mean()
    if abs(moved - probabilities.mean()) < 0.05:
        return None
    return f"{moved:.0%} of the draws move, the mean probability is {probabilities.mean():.0%}"


def straight(sample):
    """Return what is wrong with the moves where nothing pushes: n steps in one direction."""
    run = jax.jit(sample, static_argnums=(1, 4, 5))
    places, _ = run(jax.random.key(2), lambda q: 0.0 * jnp.sum(q), STARTS, 0.5, 4, 100)
    moves = np.diff(np.asarray(places), axis=1)
    if np.allclose(moves[:, 0], moves[:, 1], atol=1e-3):
        return "every transition of a chain makes the same move"
    if abs(moves.std() - 2) < 0.2:
        return None
    return f"four steps of 0.5 move by {moves.std():.2f} on average; expected 2"


def finds(sample):
    """Return what is wrong with the mean and the covariance of the draws."""
    places = chains(sample)[0][:, 100:].reshape(-1, 2)
    mean, covariance = places.mean(axis=0), np.cov(places.T)
    if np.abs(mean - [1, -2]).max() > 0.12:
        return f"the mean is {np.round(mean, 2)}; expected [1, -2]"
    if np.abs(covariance - COVARIANCE).max() > 0.15:
        return f"the covariance is {np.round(covariance, 2).tolist()}"
    return None


FEW = array([[0, 0], [1, 1]])
PROPERTIES = [
    SameSize(
        [Call(KEY, bell, FEW, 0.1, 2, 3), Call(KEY, bell, array([[0, 0]] * 9), 0.1, 2, 50)],
        says="More chains and more draws take no more equations.",
    ),
    Traces([Call(KEY, bell, FEW, 0.1, 2, 3), Call(jax.random.key(1), bell, FEW + 1, 0.2, 2, 3)]),
    Custom(
        "apart", "Each chain moves by itself, and the first draw is after the first move.", apart
    ),
    Custom(
        "length",
        "A transition has n steps of the given length, and a momentum of its own.",
        straight,
    ),
    KeysOnce([Call(KEY, bell, FEW, 0.1, 2, 3)]),
    Custom("finds", "Eight chains find the mean and the covariance of a density.", finds),
]
