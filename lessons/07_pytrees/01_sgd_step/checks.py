"""What sgd-step asks for."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Traces, Types


def of(*numbers):
    """Make an array of floats."""
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
    """A mixed nest, and a single array."""

    def some(*shape):
        return rng.normal(size=shape).astype(np.float32)

    def nest():
        return {"deep": [some(2), {"x": (some(2, 3), some())}], "none": None, "empty": []}

    yield Call(nest(), nest(), 0.25)
    yield Call(some(4), some(4), 2.0)


BFLOAT = {"w": FLAT["w"].astype(jnp.bfloat16), "b": (FLAT["b"],)}

PROPERTIES = [
    Types(
        [Call(BFLOAT, BFLOAT, 0.1)],
        weak=False,
        says="Each leaf keeps its dtype: bfloat16 stays what it is, beside a float32.",
    ),
    Traces(
        [Call(FLAT, FLAT_GRADS, lr) for lr in (0.1, 0.2, 0.3)],
        says="Three learning rates trace it once.",
    ),
]
