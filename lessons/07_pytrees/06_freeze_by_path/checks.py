"""Checks for freeze-by-path."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Types

STATIC = ("frozen",)


def of(*numbers):
    """Return an array of floats."""
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
    """Yield lists, repeated names, NaN, nothing frozen, parts of a name and an empty text."""
    a, b = rng.normal(size=(2, 3)).astype(np.float32)
    yield Call([{"w": a}, {"w": b, "b": a}], "1/w").when("a list at the top")
    yield Call({"head": {"encoder": a}, "encoder": (a, [b])}, "encoder").when(
        "a name that comes again further down"
    )
    yield Call({"x": {"y": of(np.nan, np.inf, 1.0)}, "z": (b, a)}, "x/y").when(
        "NaN in a frozen leaf"
    )
    yield Call({"x": {"y": a}, "z": (b, a)}, "none").when("a text that matches nothing")
    yield Call({"encoder": {"w": a}, "head": of(np.nan)}, "enc").when("a part of a name")
    yield Call({"layers": tuple(of(float(i)) for i in range(1, 13))}, "layers/1").when(
        "indices of two digits"
    )
    yield Call([a, {"x": b}], "").when("an empty text")


PROPERTIES = [
    Types(
        [Call({"a": [of(1.0).astype(jnp.bfloat16), np.ones((2, 3), np.int32)]}, "a")],
        says="Zeros have the shape and dtype of the leaf that they replace.",
    ),
]
