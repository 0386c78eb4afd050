"""Checks for sgd-step."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Traces, Types, Untouched


def of(*numbers):
    """Return an array of floats."""
    return np.array(numbers, np.float32)


FLAT = {"w": of(1.0, 2.0), "b": np.array(3.0, np.float32)}
FLAT_GRADS = {"w": of(2.0, 0.0), "b": np.array(4.0, np.float32)}

EXAMPLES = [
    Call(FLAT, FLAT_GRADS, 0.5).gives({"w": [0.0, 2.0], "b": 1.0}),
    Call(
        {"first": {"w": (of(1.0), of(2.0))}},
        {"first": {"w": (of(10.0), of(20.0))}},
        0.1,
    ).gives({"first": {"w": ([0.0], [0.0])}}),
]


def hidden(rng):
    """Yield a mixed nest, a single array, and large gradients."""

    def some(*shape):
        return rng.normal(size=shape).astype(np.float32)

    def nest():
        return {"deep": [some(2), {"x": (some(2, 3), some())}], "none": None, "empty": []}

    yield Call(nest(), nest(), 0.25).when("a nest of dicts, lists, tuples and None")
    yield Call(some(4), some(4), 2.0).when("a single array for a tree")
    yield Call((some(2),), (1e6 * some(2),), 0.5).when("large gradients")
    yield Call([some(2)], [some(2)], 0.0).when("a learning rate of 0")


BFLOAT = {"w": FLAT["w"].astype(jnp.bfloat16), "b": (FLAT["b"],)}

PROPERTIES = [
    Types(
        [Call(BFLOAT, BFLOAT, 0.1)],
        weak=False,
        says="Each leaf keeps its dtype: bfloat16 stays bfloat16, next to float32.",
    ),
    Traces(
        [Call(FLAT, FLAT_GRADS, lr) for lr in (0.1, 0.2, 0.3)],
        says="It is traced once for different learning rates.",
    ),
    Untouched([Call(FLAT, FLAT_GRADS, 0.5)], says="params and grads stay as they are."),
]
