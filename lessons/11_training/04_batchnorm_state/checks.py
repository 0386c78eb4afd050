"""What batchnorm-state asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Gradient, NoLeak, Traces, Types, Untouched

STATIC = ("train",)


def f32(*numbers):
    """Make an array of floats."""
    return np.array(numbers, np.float32)


PARAMS = {"scale": f32(2.0, 1.0), "shift": f32(0.0, 10.0)}
STATE = {"mean": f32(1.0, 0.0), "var": f32(4.0, 1.0)}
X = f32([1.0, 10.0], [3.0, 30.0])

EXAMPLES = [
    Call(PARAMS, STATE, X, True).gives(
        (
            [[-1.99999, 9.0], [1.99999, 11.0]],
            {"mean": [1.1, 2.0], "var": [3.7, 10.9]},
        )
    ),
    Call(PARAMS, STATE, X, False).gives(
        (
            [[0.0, 19.99995], [1.9999975, 39.99985]],
            {"mean": [1.0, 0.0], "var": [4.0, 1.0]},
        )
    ),
]


def some(rng, rows=5, width=3):
    """Make params, state and rows."""

    def normal(*shape):
        return rng.normal(size=shape).astype(np.float32)

    params = {"scale": normal(width), "shift": normal(width)}
    state = {"mean": normal(width), "var": normal(width) ** 2 + 1}
    return params, state, normal(rows, width) * 3 + 1


def hidden(rng):
    """Other rows, single rows, columns that hardly vary and columns that lie far from 0."""
    yield Call(*some(rng), True)
    yield Call(*some(rng, rows=1), False).when("a single row after training")
    params, state, x = some(rng)
    yield Call(params, state, x * f32(1e-3, 1.0, 0.0), True).when("a column that hardly varies")
    small = {"mean": state["mean"], "var": state["var"] * 1e-5}
    yield Call(params, small, x, False).when("a running variance of about 1e-5")
    yield Call(params, state, x / 10 + 100, True).when("a column far from 0")


def slope_of_shift(batch_norm):
    """Return how y reacts when all rows are moved alike; while training it does not."""

    def total(x):
        y, _ = batch_norm(PARAMS, STATE, x, True)
        return jnp.sum(y * f32([1.0, 2.0], [0.5, -1.0], [3.0, 0.0]))

    slope = jax.jit(jax.grad(total))(f32([1.0, 2.0], [3.0, -4.0], [0.0, 1.0]))
    along = np.asarray(slope.sum(axis=0))
    if np.all(np.abs(along) < 1e-3):
        return None
    return f"moving all rows alike leaves y as it is, but its slope in that direction is {along}"


FIXED = np.random.default_rng(0)
GIVEN = some(FIXED)

PROPERTIES = [
    Types(
        [Call(*GIVEN, True), Call(*GIVEN, False)],
        weak=False,
        says="The state comes out with the keys, shapes and dtypes that it went in with.",
    ),
    Traces(
        [Call(*GIVEN, True), Call(*GIVEN, True), Call(*GIVEN, False), Call(*GIVEN, False)],
        times=2,
        name="traces-twice",
        says="It is traced once for training and once for afterwards.",
    ),
    NoLeak(
        [Call(*GIVEN, True)],
        under=("jit", "grad"),
        name="leaks-elsewhere",
        says="No tracer is left behind under jax.jit and jax.grad.",
    ),
    Untouched(
        [Call(PARAMS, STATE, X, True)],
        name="argument-untouched",
        says="The dict that came in stays as it is.",
    ),
    Gradient(
        [Call(*GIVEN, True)],
        says="It has a gradient with respect to its parameters.",
    ),
    Custom(
        "gradient-of-rows",
        "While training, the gradient goes through the batch's mean and variance too.",
        slope_of_shift,
    ),
]
