"""What ref-accumulator asks for."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Gradient, SameSize, Types, Uses, Vmap

STATIC = ("bins",)


def f32(*numbers):
    """Make an array of floats."""
    return np.array(numbers, np.float32)


XS = f32(0.1, 0.9, 0.2, 1.0)
WEIGHTS = f32(1.0, 2.0, 10.0, 0.5)

EXAMPLES = [
    Call(XS, WEIGHTS, 2).gives([11.0, 2.5]),
    Call(XS, WEIGHTS, 4).gives([11.0, 0.0, 0.0, 2.5]),
]


def hidden(rng):
    """Many numbers in few bins, the same call twice, the edges, one bin and very many."""
    xs, weights = (rng.uniform(size=40).astype(np.float32) for _ in range(2))
    yield Call(xs, weights, 4)
    yield Call(xs, weights, 4).when("the arguments of the call before")
    edges = f32(0.0, 0.25, 0.5, 0.75, 1.0, 0.5)
    yield Call(edges, f32(1.0, 2.0, 4.0, 8.0, 16.0, 32.0), 4).when("numbers on the edges of bins")
    yield Call(f32(0.0, 0.3, 1.0), f32(1.0, -2.0, 4.0), 1).when("a single bin")
    yield Call(f32(0.9999, 0.9992, 1.0), f32(1.0, 2.0, 4.0), 2048).when("2048 bins")


TABLE = np.linspace(0, 1, 12, dtype=np.float32).reshape(3, 4)

PROPERTIES = [
    Types(
        [Call(XS, WEIGHTS, 3), Call(XS, np.array([1, 2, 3, 4], np.int32), 3)],
        says="The answer has the dtype of the weights: int32 stays int32.",
    ),
    Uses(
        [Call(XS, WEIGHTS, 2)],
        ("new_ref",),
        says="It makes a mutable reference.",
    ),
    Uses(
        [Call(XS, WEIGHTS, 2)],
        ("scan", "while"),
        name="loop",
        says="One loop in the program works through the numbers.",
    ),
    SameSize(
        lambda: [Call(jnp.ones(n), jnp.ones(n), 2) for n in (4, 60)],
        says="Sixty numbers take no more equations than four.",
    ),
    Vmap(
        [Call(TABLE, TABLE + 1, 2)],
        in_axes=(0, 0, None),
        says="Under jax.vmap each row gets a histogram of its own.",
    ),
    Gradient(
        [Call(XS, WEIGHTS, 4)],
        argnums=1,
        says="It has a gradient with respect to the weights, through the reference.",
    ),
]
