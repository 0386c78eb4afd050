"""What directional-derivative asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, LargestIntermediate

STATIC = ("f",)


def area_and_side(x):
    return jnp.array([x[0] * x[1], x[0]])


X = np.array([2.0, 3.0], np.float32)

EXAMPLES = [
    Call(area_and_side, X, np.array([1.0, 0.0], np.float32)).gives([3.0, 1.0]),
    Call(area_and_side, X, np.array([-1.0, 2.0], np.float32)).gives([1.0, -1.0]),
]


def gas(state):
    """A tree in, a tree out."""
    return {"pressure": state["heat"] / state["volume"], "all": [jnp.sin(state["heat"])]}


def cooled(x):
    """Halve until cool: only forward mode can differentiate this loop."""
    return jax.lax.while_loop(lambda y: jnp.max(y) > 1, lambda y: y * 0.5, x**2)


def hidden(rng):
    """A long direction, a loop of unknown length, and trees."""
    x, v = rng.normal(size=(2, 2)).astype(np.float32)
    yield Call(area_and_side, x, 10 * v).when("a direction that is not of length 1")
    yield Call(cooled, np.array([3.0, 1.0], np.float32), np.array([1.0, -1.0], np.float32)).when(
        "a while_loop in f"
    )
    heat, volume = (rng.uniform(1, 2, size=3).astype(np.float32) for _ in range(2))
    here = {"heat": heat, "volume": volume}
    there = {"heat": heat - 1, "volume": np.array([0.5, -1.0, 2.0], np.float32)}
    yield Call(gas, here, there).when("a tree for x")


def runs_twice(directional):
    """Report how often f runs for one answer, unless it is once."""
    runs = []

    def f(x):
        runs.append(1)
        return jnp.sin(x)

    directional(f, X, X)
    return None if len(runs) == 1 else f"f runs {len(runs)} times for one answer"


LONG = np.ones(60, np.float32)

PROPERTIES = [
    Custom("once", "f is run once for one answer.", runs_twice),
    LargestIntermediate(
        [Call(jnp.sin, LONG, LONG)],
        at_most=120,
        says="For 60 inputs and 60 outputs no matrix of 3600 is built.",
    ),
]
