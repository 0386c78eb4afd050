"""Checks for the loss whose gradient is that of REINFORCE."""

import jax
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Gradient, SameSize, Traces

HIDDEN = 16


def layers(rng, outputs, size):
    """Return the parameters of a network, random numbers of this size."""
    shapes = {"w": (4, HIDDEN), "b": (HIDDEN,), "v": (HIDDEN, outputs), "c": (outputs,)}
    return {name: array(size * rng.normal(size=shape)) for name, shape in shapes.items()}


def weights(rng, size):
    """Return parameters, as `init` shapes them."""
    return {"policy": layers(rng, 2, size), "baseline": layers(rng, 1, size)}


def array(values):
    """Return a float32 array."""
    return np.array(values, np.float32)


def zeros():
    """Return parameters that are all 0."""
    return weights(np.random.default_rng(0), 0)


RESTING = array([[[0, 0, 0, 0], [0, 0, 0, 0]]])
BOTH = np.array([[0, 1]], np.int32)

EXAMPLES = [
    Call(zeros(), RESTING, BOTH, np.array([[True, True]]), array([[2, 1]])).gives(4.5794415),
    Call(zeros(), RESTING, BOTH, np.array([[True, False]]), array([[2, 1]])).gives(3.3862944),
]


def played(rng, n, length):
    """Return n episodes of this length that end at different steps, and their returns."""
    ends = rng.integers(1, length, n)
    ends[0] = length
    alive = np.arange(length) < ends[:, None]
    states = rng.normal(size=(n, length, 4))
    actions = rng.integers(0, 2, (n, length)).astype(np.int32)
    return array(states), actions, alive, array(3 * rng.normal(size=(n, length)))


def hidden(rng):
    """Yield episodes with random parameters, and with scores that are far apart."""
    yield Call(weights(rng, 0.5), *played(rng, 3, 6))
    yield Call(weights(rng, 0.5), *played(rng, 4, 4)).when("as many episodes as steps")
    states, actions, _, returns = played(rng, 3, 6)
    yield Call(weights(rng, 0.5), states, actions, np.zeros((3, 6), bool), returns).when(
        "episodes in which no step counts"
    )
    apart = weights(rng, 0.5)
    apart["policy"]["c"] = array([150, 0])
    yield Call(apart, *played(rng, 3, 6)).when("scores that are far apart")


RNG = np.random.default_rng(9)
PARAMS = weights(RNG, 0.5)

PAYS = array([1, 3])
"""What the two arms of the bandit pay."""


def bandit(loss):
    """Compare the gradient with the exact one of a two-armed bandit.

    Arm 0 is chosen with a chance of 3/4. Four episodes of one step, of which three choose arm 0,
    therefore have the mean gradient itself, whatever the baseline is.
    """
    slopes = jax.jit(jax.grad(loss))
    actions = np.array([[0], [0], [0], [1]], np.int32)
    alive, states = np.ones((4, 1), bool), np.zeros((4, 1, 4), np.float32)
    expected = 3 / 16 * (PAYS[0] - PAYS[1]) * array([1, -1])  # of the mean pay
    for level in (0, 1.5, 20):
        params = zeros()
        params["policy"]["c"] = array([np.log(3), 0])
        params["baseline"]["c"] = array([level])
        found = slopes(params, states, actions, alive, PAYS[actions])
        if not np.allclose(found["policy"]["c"], -expected, atol=1e-3):
            return (
                f"with a baseline of {level}, the gradient is "
                f"{np.round(found['policy']['c'], 3)}; the exact one is {-expected}"
            )
        if not np.allclose(found["baseline"]["c"], level - 1.5, atol=1e-3):
            return f"a baseline of {level} does not move towards the mean pay of 1.5"
    return None


PROPERTIES = [
    Traces([Call(PARAMS, *played(RNG, 3, 6)), Call(zeros(), *played(RNG, 3, 6))]),
    Gradient(
        [Call(PARAMS, *played(RNG, 3, 6))], says="Its gradient with respect to params is right."
    ),
    SameSize(
        [Call(PARAMS, *played(RNG, 2, 3)), Call(PARAMS, *played(RNG, 40, 30))],
        says="More episodes and more steps take no more equations.",
    ),
    Custom("bandit", "For a bandit with two arms, the gradient is the exact one.", bandit),
]

RIGHT_TOO = {
    "taken = jnp.take_along_axis(logs, actions[..., None])[..., 0]": (
        "The last axis is the default of take_along_axis."
    ),
    "taken = jnp.take_along_axis(logs, actions[..., None], axis=-1)[..., 1]": (
        "JAX takes the last element for an index beyond an axis of length 1."
    ),
}
