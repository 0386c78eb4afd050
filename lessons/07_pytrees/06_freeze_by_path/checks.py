"""What freeze-by-path asks for."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Types

STATIC = ("frozen",)


def of(*numbers):
    """Make an array of floats."""
    return np.array(numbers, np.float32)


EXAMPLES = [
    Call({"encoder": {"w": of(1.0, 2.0)}, "head": {"w": of(3.0)}}, "encoder").gives(
        {"encoder": {"w": [0.0, 0.0]}, "head": {"w": [3.0]}}
    ),
    Call({"layers": (of(1.0), of(2.0), of(3.0))}, "layers/1").gives(
        {"layers": ([1.0], [0.0], [3.0])}
    ),
]


def hidden(rng):
    """A list at the top, names that come again further down, NaN, and nothing frozen."""
    a, b = rng.normal(size=(2, 3)).astype(np.float32)
    yield Call([{"w": a}, {"w": b, "b": a}], "1/w")
    yield Call({"head": {"encoder": a}, "encoder": (a, [b])}, "encoder")
    yield Call({"x": {"y": of(np.nan, np.inf, 1.0)}, "z": (b, a)}, "x/y")
    yield Call({"x": {"y": a}, "z": (b, a)}, "none")


PROPERTIES = [
    Types(
        [Call({"a": [of(1.0).astype(jnp.bfloat16), np.ones((2, 3), np.int32)]}, "a")],
        says="Zeros have the shape and dtype of what they replace.",
    ),
]
