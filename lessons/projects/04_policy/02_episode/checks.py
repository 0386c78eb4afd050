"""Checks for a whole episode."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, KeysOnce, SameSize, Traces

STATIC = ("policy", "length")

KEY = jax.random.key(0)


def right(key, state):
    """Push to the right."""
    return 1


def left(key, state):
    """Push to the left."""
    return 0


def lean(key, state):
    """Push towards the side to which the pole leans."""
    return jnp.where(state[2] > 0, 1, 0)


def coin(key, state):
    """Push to a side that a coin decides."""
    return jnp.where(jax.random.bernoulli(key), 1, 0)


def array(values):
    """Return a float32 array."""
    return np.array(values, np.float32)


UPRIGHT = array([0, 0, 0, 0])
LEAVING = array([2.39, 1, 0, 0])

EXAMPLES = [
    Call(right, KEY, UPRIGHT, 2).gives(
        ([[0.0, 0.0, 0.0, 0.0], [0.0, 0.195122, 0.0, -0.292683]], [1, 1], [True, True])
    ),
    Call(left, KEY, LEAVING, 2).gives(
        ([[2.39, 1.0, 0.0, 0.0], [2.41, 0.804878, 0.0, 0.292683]], [0, 0], [True, False])
    ),
]


def start(rng):
    """Return a state near upright."""
    return rng.uniform(-0.05, 0.05, 4).astype(np.float32)


def hidden(rng):
    """Yield episodes that end on the way, at their last step, at once, and not at all."""
    yield Call(lean, KEY, start(rng), 60).when("a policy that looks at the state")
    yield Call(right, KEY, start(rng), 30).when("an episode that ends on the way")
    yield Call(left, KEY, LEAVING, 4).when("an episode that ends in its first step")
    yield Call(left, KEY, LEAVING, 1).when("an episode of a single step, its last")


def chance(episode):
    """Return what is wrong with the choices of a policy that tosses a coin."""
    run = jax.jit(jax.vmap(lambda key: episode(coin, key, UPRIGHT, 100)[1]))
    actions = np.asarray(run(jax.random.split(jax.random.key(1), 50)))
    if (actions == actions[:, :1]).all():
        return "a policy that tosses a coin makes the same choice in every step"
    if (actions == actions[0]).all():
        return "episodes with different keys make the same choices"
    if abs(actions.mean() - 0.5) > 0.05:
        return f"a fair coin chooses 1 in {actions.mean():.0%} of the steps"
    changes = (np.diff(actions) != 0).mean()
    if abs(changes - 0.5) > 0.05:
        return f"the choice changes after {changes:.0%} of the steps; expected half of them"
    return None


PROPERTIES = [
    Traces([Call(lean, KEY, UPRIGHT, 5), Call(lean, jax.random.key(1), LEAVING, 5)]),
    SameSize(
        [Call(coin, KEY, UPRIGHT, 3), Call(coin, KEY, UPRIGHT, 300)],
        says="300 steps take no more equations than three.",
    ),
    KeysOnce([Call(coin, KEY, UPRIGHT, 3)]),
    Custom("chance", "Each step draws with a key of its own, made from the given one.", chance),
]
