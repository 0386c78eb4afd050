"""Checks for a step length that fits."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Traces


def subject(module):
    """Return adapt, with what the tests need."""

    def adapt(state, probability, target=0.8):
        return module.adapt(state, probability, target)

    adapt.warm_up, adapt.sample = module.warm_up, module.sample
    return adapt


def state(anchor, log_step, log_average, shortfall, count):
    """Return the state of an adaptation."""
    names = ("anchor", "log_step", "log_average", "shortfall", "count")
    values = (anchor, log_step, log_average, shortfall, count)
    return {name: np.float32(value) for name, value in zip(names, values, strict=True)}


EXAMPLES = [
    Call(state(0, -1, 0, 0, 0), np.float32(0.8)).gives(
        {"anchor": 0.0, "log_step": 0.0, "log_average": 0.0, "shortfall": 0.0, "count": 1.0}
    ),
    Call(state(1, -1, 0, 0, 0), np.float32(0.25)).gives(
        {"anchor": 1.0, "log_step": 0.0, "log_average": 0.0, "shortfall": 0.05, "count": 1.0}
    ),
]


def hidden(rng):
    """Yield states in the middle of an adaptation."""
    yield Call(state(0.5, -1, -0.8, 0.04, 7), np.float32(0.9)).when("the eighth transition")
    yield Call(state(0.5, -1, -0.8, -0.02, 80), np.float32(0.1)).when("a late transition")
    yield Call(state(0.5, -1, -0.8, 0.03, 3), np.float32(0.4), 0.6).when("another target")
    yield Call(state(-1, -2, 0, 0, 0), np.float32(0.0)).when("a first path that is rejected")


def warms_up(adapt):
    """Return how often paths are accepted with the step length that a warm-up finds."""

    def logp(q):
        return -0.5 * jnp.sum((q / jnp.array([1.0, 0.2])) ** 2)

    warm_up = jax.jit(adapt.warm_up, static_argnums=(1, 4, 5))
    sample = jax.jit(adapt.sample, static_argnums=(1, 4, 5))
    for first in (0.001, 3.0):
        places, step = warm_up(jax.random.key(1), logp, jnp.zeros((8, 2)), first, 5, 400)
        found = float(sample(jax.random.key(2), logp, places, step, 5, 200)[1].mean())
        if not 0.7 < found < 0.92:
            return f"from {first:g} it finds the step {step:.3g}, and {found:.0%} are accepted"
    return None


PROPERTIES = [
    Traces(
        [Call(state(0, 0, 0, 0, 1), np.float32(0.5)), Call(state(1, 0, 0, 0, 9), np.float32(0))]
    ),
    Custom("warm-up", "A warm-up finds a step with which about 80 % are accepted.", warms_up),
]
