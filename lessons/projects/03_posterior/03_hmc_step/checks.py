"""Checks for one transition of the chain."""

import functools

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, KeysOnce, SameSize

STATIC = ("logp", "n")

KEY = jax.random.key(0)


def bell(q):
    """Return the log density of independent standard normal numbers."""
    return -0.5 * jnp.sum(q**2)


def only_here(q):
    """Return 0 where all coordinates are 2, and -inf elsewhere."""
    return jnp.where(jnp.all(q == 2.0), 0.0, -jnp.inf) + 0.0 * jnp.sum(q)


def array(values):
    """Return a float32 array."""
    return np.array(values, np.float32)


EXAMPLES = [
    Call(KEY, bell, array([1, 2]), 0.0, 3).gives(([1.0, 2.0], 1.0)),
    Call(KEY, only_here, array([2, 2]), 0.5, 3).gives(([2.0, 2.0], 0.0)),
]

Q = array([0.5, -1.0])
FLAT, NARROW, EDGE = 0, 1, 2
CHAINS = 4000
DEVIATIONS = array([1.0, 0.5])
ACCEPTED = 0.775
"""The mean probability in NARROW; its deviation from key to key is 0.004."""


@functools.cache
def transitions(hmc_step):
    """Return (start, next place, probability) of 4000 transitions for each of three densities.

    FLAT is the same everywhere. NARROW is normal with deviations 1 and 0.5, and its starts are
    exact draws. EDGE is q * exp(-q), whose logarithm is NaN below 0.
    """

    def run(key, q, kind, step):
        def logp(q):
            inside = jnp.log(q[0]) - q[0] + bell(q[1:])
            narrow = bell(q / DEVIATIONS)
            return jnp.where(kind == FLAT, 0.0, jnp.where(kind == NARROW, narrow, inside))

        return hmc_step(key, logp, q, step, 3)

    keys = jax.random.split(jax.random.key(3), 3 * CHAINS)
    draws = jax.random.normal(jax.random.key(4), (3, CHAINS, 2))
    starts = draws.at[NARROW].multiply(DEVIATIONS).at[EDGE, :, 0].set(0.5).reshape(-1, 2)
    kinds = jnp.repeat(jnp.arange(3), CHAINS)
    steps = jnp.repeat(jnp.array([0.5, 0.8, 0.7]), CHAINS)
    ends, probabilities = jax.jit(jax.vmap(run))(keys, starts, kinds, steps)
    shape = (3, CHAINS, 2)
    return (
        np.asarray(starts).reshape(shape),
        np.asarray(ends).reshape(shape),
        np.asarray(probabilities).reshape(3, CHAINS),
    )


def momenta(hmc_step):
    """Return what is wrong with the moves where nothing pushes."""
    starts, ends, _ = transitions(hmc_step)
    p = (ends[FLAT] - starts[FLAT]) / 1.5
    if np.unique(np.round(p[:, 0], 6)).size < CHAINS // 2:
        return "different keys make the same move"
    if np.abs(p.mean(axis=0)).max() > 0.08 or np.abs(p.std(axis=0) - 1).max() > 0.06:
        return f"the momenta have mean {p.mean():.2f} and deviation {p.std():.2f}"
    if abs(np.corrcoef(p.T)[0, 1]) > 0.1:
        return "the coordinates of a momentum are not independent"
    beyond = (np.abs(p) > 2).mean()
    return None if 0.035 < beyond < 0.057 else f"{beyond:.1%} of the momenta are beyond 2; 4.6% are"


def probabilities(hmc_step):
    """Return what is wrong with how often a path is accepted."""
    starts, ends, found = transitions(hmc_step)
    if not ((found[:EDGE] >= 0) & (found[:EDGE] <= 1)).all():
        return "a probability is not between 0 and 1"
    moved = np.any(ends[NARROW] != starts[NARROW], axis=1).mean()
    if abs(moved - found[NARROW].mean()) < 0.03:
        return None
    return (
        f"{moved:.0%} of the paths are accepted, the mean probability is {found[NARROW].mean():.0%}"
    )


def keeps_draws(hmc_step):
    """Return what a transition does to exact draws of a density."""
    _, ends, _ = transitions(hmc_step)
    found = ends[NARROW]
    off = np.abs(found.std(axis=0) / DEVIATIONS - 1).max()
    if off > 0.06:
        return f"exact draws with deviations 1 and 0.5 have deviations {np.round(found.std(0), 2)}"
    if np.abs(found.mean(axis=0)).max() > 0.08:
        return f"exact draws with mean 0 have the mean {np.round(found.mean(0), 2)}"
    return None


def follows_energies(hmc_step):
    """Return how far the mean probability is from that of the energies."""
    likely = transitions(hmc_step)[2][NARROW].mean()
    if abs(likely - ACCEPTED) < 0.03:
        return None
    return f"the mean probability is {likely:.0%}; the energies give {ACCEPTED:.0%}"


def nan_is_rejected(hmc_step):
    """Return what happens to paths that leave a density."""
    _, ends, found = transitions(hmc_step)
    if np.isnan(ends[EDGE]).any() or (ends[EDGE, :, 0] < 0).any():
        return "a path that ends where logp is NaN is accepted"
    return "the probability of a path with NaN is NaN" if np.isnan(found[EDGE]).any() else None


PROPERTIES = [
    KeysOnce([Call(KEY, bell, Q, 0.1, 2)]),
    SameSize(
        [Call(KEY, bell, Q, 0.1, 2), Call(KEY, bell, Q, 0.1, 40)],
        says="40 steps take no more equations than two.",
    ),
    Custom("momenta", "The momentum is standard normal, and new for each key.", momenta),
    Custom(
        "nan", "A path that ends where logp is NaN is rejected with probability 0.", nan_is_rejected
    ),
    Custom("probability", "Paths are accepted as often as the probability says.", probabilities),
    Custom("draws", "Exact draws of a density remain draws of it.", keeps_draws),
    Custom("energies", "The probability is that of both energies.", follows_energies),
]

RIGHT_TOO = {
    "accepted = (jax.random.uniform(accept_key) <= probability)": (
        "A draw is exactly the probability once in millions of steps."
    ),
}
