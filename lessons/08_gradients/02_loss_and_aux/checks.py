"""What loss-and-aux asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, NoLeak, Types

STATIC = ("model",)


def line(params, x):
    return x @ params["w"]


def two_layers(params, x):
    """A model whose parameters are nested."""
    first, second = params
    return jnp.tanh(x @ first["w"] + first["b"]) @ second


def of(*numbers):
    """Return an array of floats."""
    return np.array(numbers, np.float32)


BATCH = (np.eye(2, dtype=np.float32), of(1.0, 0.0))

EXAMPLES = [
    Call(line, {"w": of(0.0, 0.0)}, BATCH).gives((0.6931472, [0.0, 0.0], {"w": [-0.25, 0.25]})),
    Call(line, {"w": of(2.0, -2.0)}, BATCH).gives(
        (0.126928, [2.0, -2.0], {"w": [-0.0596015, 0.0596015]})
    ),
]


def deep(rng):
    """Return a call with nested parameters."""

    def some(*shape):
        return rng.normal(size=shape).astype(np.float32)

    labels = (rng.random(4) < 0.5).astype(np.float32)
    return Call(two_layers, ({"w": some(3, 5), "b": some(5)}, some(5)), (some(4, 3), labels))


def hidden(rng):
    """A model of two layers, and logits whose exponentials overflow."""
    yield deep(rng).when("nested parameters")
    yield Call(line, {"w": of(300.0, -200.0)}, BATCH).when("logits of several hundred")
    yield Call(line, {"w": of(-300.0, 200.0)}, BATCH).when("logits of several hundred")


def runs_again(step_metrics):
    """Report how often the model is called, unless it is once."""
    calls = []

    def counted(params, x):
        calls.append(x)
        return line(params, x)

    jax.make_jaxpr(step_metrics, static_argnums=0)(counted, {"w": of(1.0, 2.0)}, BATCH)
    return None if len(calls) == 1 else f"the model is called {len(calls)} times"


FIXED = np.random.default_rng(2)

PROPERTIES = [
    NoLeak(
        [Call(line, {"w": of(1.0, 2.0)}, BATCH)],
        under=("jit",),
        says="No tracer is left behind.",
    ),
    Custom("once", "The model is called once.", runs_again),
    Types([deep(FIXED)], says="The gradient has the structure, shapes and dtypes of params."),
]
