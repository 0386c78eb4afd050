"""Checks for many episodes at once."""

import functools

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, SameSize, Traces

STATIC = ("policy", "n", "length")

KEY = jax.random.key(0)


def coin(key, state):
    """Push to a side that a coin decides."""
    return jnp.where(jax.random.bernoulli(key), 1, 0)


def lean(key, state):
    """Push towards the side to which the pole leans."""
    return jnp.where(state[2] > 0, 1, 0)


def subject(module):
    """Return the shapes of what is played, which hold for every key."""

    def shapes(policy, key, n, length):
        states, actions, alive = module.play(policy, key, n, length)
        return tuple(np.array(np.shape(part)) for part in (states, actions, alive))

    @functools.cache
    def played(policy, seed):
        run = jax.jit(lambda key: module.play(policy, key, 200, 50))
        return tuple(map(np.asarray, run(jax.random.key(seed))))

    def again(states):
        """Play the episodes of `lean` from the same starts, one after the other."""

        def one(given):
            return module.episode(lean, *given, 50)

        keys = jax.random.split(jax.random.key(4), len(states))
        return jax.jit(lambda starts: jax.lax.map(one, (keys, starts)))(states[:, 0])

    shapes.played, shapes.again, shapes.module = played, again, module
    return shapes


EXAMPLES = [
    Call(coin, KEY, 5, 3).gives(([5, 3, 4], [5, 3], [5, 3])),
    Call(lean, KEY, 1, 20).gives(([1, 20, 4], [1, 20], [1, 20])),
]


def keys_once(shapes):
    """Return whether a key is used twice, while a single draw takes the place of an episode.

    The guard of jax takes the keys of a scan under `vmap` for used, so there must be no scan.
    """

    def draw(policy, key, start, length):
        moves = jax.random.uniform(key, (length,))
        return start + moves[:, None], moves, moves > 0

    module, own = shapes.module, shapes.module.episode
    module.episode = draw
    try:
        with jax.debug_key_reuse(True):
            jax.jit(lambda key: module.play(coin, key, 3, 2))(jax.random.key(7))
    except jax.errors.KeyReuseError as error:
        return str(error).splitlines()[0]
    finally:
        module.episode = own
    return None


def starts(shapes):
    """Return what is wrong with the states in which the episodes begin."""
    first, other = (shapes.played(coin, seed)[0][:, 0] for seed in (1, 2))
    if len(np.unique(first[:, 0])) < 190:
        return "several of 200 episodes begin in the same state"
    if np.isin(first, other).any():
        return "different keys give the same starts"
    if np.abs(first).max() > 0.05 or np.abs(first.std(axis=0) - 0.029).max() > 0.005:
        return "the starts are not those that `reset` returns"
    return None


def apart(shapes):
    """Return what is wrong with the choices of a policy that tosses a coin."""
    _, actions, _ = shapes.played(coin, 1)
    alike = len(actions) - len(np.unique(actions, axis=0))
    if alike:
        return f"{alike} of 200 episodes toss the coin as another one does"
    likeness = np.corrcoef(actions) - np.eye(len(actions))
    if np.abs(likeness).max() > 0.8:
        return "the choices of one episode follow from those of another"
    return None


def episodes(shapes):
    """Return which part of the answer is not what `episode` returns for the same starts."""
    found = shapes.played(lean, 1)
    for name, one, expected in zip(
        ("states", "actions", "alive"), found, shapes.again(found[0]), strict=True
    ):
        if not np.allclose(one, expected, atol=1e-3):
            return f"the {name} are not those of the same episodes played one by one"
    return None


PROPERTIES = [
    SameSize(
        [Call(coin, KEY, 3, 10), Call(coin, KEY, 300, 10)],
        says="300 episodes take no more equations than three.",
    ),
    Traces([Call(coin, KEY, 3, 10), Call(coin, jax.random.key(1), 3, 10)]),
    Custom("keys", "No random key is used twice.", keys_once),
    Custom("starts", "Each episode begins in a state of its own, made by `reset`.", starts),
    Custom("apart", "Each episode has keys of its own.", apart),
    Custom("episodes", "Each row is what `episode` returns for its start.", episodes),
]
