"""Checks for metropolis."""

import functools

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, KeysOnce, SameSize, Traces, Uses

STATIC = ("logp", "n")

KEY = jax.random.key(0)


def bell(x):
    """Return the log-density of the normal distribution around 0."""
    return -0.5 * x**2


def only_two(x):
    """Return 0 for 2, and -inf for anything else."""
    return jnp.where(x == 2.0, 0.0, -jnp.inf)


EXAMPLES = [
    Call(KEY, bell, 3.0, 4, 0.0).gives([3.0, 3.0, 3.0, 3.0]),
    Call(KEY, only_two, 2.0, 3, 1.0).gives([2.0, 2.0, 2.0]),
]


FLAT, BELL, DECAY = 0, 1, 2
STARTS = np.linspace(0.5, 3.0, 16, dtype=np.float32)


@functools.cache
def chains(metropolis):
    """Return 16 chains for each of three distributions, from one compiled program.

    FLAT accepts everything, BELL is the normal distribution around 0, and DECAY the exponential
    one, which has mean 1 and nothing below 0. Each has another constant in its logarithm, which
    only a difference of two takes away.
    """

    def run(key, x0, kind, step):
        def logp(x):
            decay = jnp.where(x > 0, 2.0 - x, -jnp.inf)
            return jnp.where(
                kind == FLAT, 0.0 * x - 7.0, jnp.where(kind == BELL, bell(x) + 3.0, decay)
            )

        return metropolis(key, logp, x0, 2000, step)

    keys = jax.random.split(jax.random.key(1), 48)
    starts = jnp.tile(jnp.asarray(STARTS), 3)
    kinds = jnp.repeat(jnp.array([FLAT, BELL, DECAY]), 16)
    steps = jnp.repeat(jnp.array([0.5, 2.4, 2.0]), 16)
    found = np.asarray(jax.jit(jax.vmap(run))(keys, starts, kinds, steps))
    return found.reshape(3, 16, 2000)


def finds_bell(metropolis):
    """Return what is wrong with the mean and the spread of a normal distribution, or None."""
    found = chains(metropolis)[BELL, :, 200:]
    mean, spread = found.mean(), found.std()
    if abs(mean) > 0.08 or abs(spread - 1) > 0.06:
        return f"mean and standard deviation are {mean:.2f} and {spread:.2f}; expected 0 and 1"
    return None


def finds_decay(metropolis):
    """Return what is wrong with a distribution that is not symmetric and has an edge."""
    found = chains(metropolis)[DECAY, :, 200:]
    mean, above = found.mean(), (found > 1).mean()
    if found.min() < 0:
        return f"the chain went to {found.min():.2f}, where logp is -inf"
    if abs(mean - 1) > 0.12 or abs(above - np.exp(-1)) > 0.04:
        return f"the mean is {mean:.2f} and {above:.0%} lie above 1; expected 1 and 37%"
    return None


def steps_normally(metropolis):
    """Return what is wrong with the steps where everything is accepted, or None."""
    found = chains(metropolis)[FLAT]
    if (found.T == STARTS).all():
        return "where logp is the same everywhere, no proposal is accepted; all should be"
    if (found[:, 0] == STARTS).all():
        return "where everything is accepted, the first state is x0 itself: the states are one late"
    steps = np.diff(found, axis=1)
    if (steps[:, 0] == steps[:, 1]).all():
        return "every round makes the same step"
    if (steps == 0).any():
        return "a proposal as good as the state was rejected"
    if abs(steps.mean()) > 0.02 or abs(steps.std() - 0.5) > 0.02:
        return f"steps of length 0.5 have a standard deviation of {steps.std():.2f}"
    beyond = (abs(steps) > 1).mean()
    if not 0.03 < beyond < 0.06:
        return f"{beyond:.1%} of the steps are longer than 2 * step; in a normal distribution 4.6%"
    if np.unique(steps[:, 0]).size < len(steps):
        return "chains with different keys make the same steps"
    return None


PROPERTIES = [
    Uses(
        [Call(KEY, bell, 0.0, 10, 1.0)],
        primitives=("scan", "while"),
        name="loop",
        says="It runs in a loop of JAX, such as scan.",
    ),
    SameSize(
        [Call(KEY, bell, 0.0, 10, 1.0), Call(KEY, bell, 0.0, 100, 1.0)],
        says="100 rounds take no more equations than 10.",
    ),
    KeysOnce([Call(KEY, bell, 0.0, 10, 1.0)], says="No key is used twice."),
    Custom("steps", "The steps are normal, independent, and of the right size.", steps_normally),
    Custom("bell", "16 chains find the normal distribution.", finds_bell),
    Custom("decay", "16 chains find the exponential distribution, and stay in it.", finds_decay),
    Traces(
        [Call(KEY, bell, start, 10, 1.0) for start in (0.0, 1.0, 2.0)],
        says="It is traced once for repeated calls with different starts.",
    ),
]
