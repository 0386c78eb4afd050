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


def number(key, state):
    """Return a number that shows the key."""
    return jax.random.randint(key, (), 0, 2**30)


def chance(episode):
    """Return which keys reach the policy more than once, in 20 episodes of 50 steps."""
    run = jax.jit(jax.vmap(lambda key: (number(key, None), episode(number, key, UPRIGHT, 50)[1])))
    given, drawn = map(np.asarray, run(jax.random.split(jax.random.key(1), 20)))
    if len(np.unique(drawn[0])) < 50:
        return "several steps of an episode pass the same key"
    if len(np.unique(drawn)) < drawn.size:
        return "episodes with different keys pass the same keys to their steps"
    return "a step passes the key of the whole episode" if np.isin(given, drawn).any() else None


PROPERTIES = [
    Traces([Call(lean, KEY, UPRIGHT, 5), Call(lean, jax.random.key(1), LEAVING, 5)]),
    SameSize(
        [Call(number, KEY, UPRIGHT, 3), Call(number, KEY, UPRIGHT, 300)],
        says="300 steps take no more equations than three.",
    ),
    Custom("chance", "Each step draws with a key of its own, made from the given one.", chance),
    KeysOnce([Call(number, KEY, UPRIGHT, 4)]),
]

RIGHT_TOO = {
    "return jax.lax.scan(move, (start, False), keys)[1]": (
        "JAX makes an array of a bool in the carry."
    ),
}
