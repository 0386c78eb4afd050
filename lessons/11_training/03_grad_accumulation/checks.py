"""What grad-accumulation asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import (
    Call,
    Custom,
    LargestIntermediate,
    SameSize,
    Types,
    Uses,
)

STATIC = ("loss", "k")


def line(w, x, y):
    return jnp.mean((x * w - y) ** 2)


def network(params, x, y):
    """The mean loss of a network with 64 units."""
    hidden = jnp.tanh(x @ params["in"] + params["shift"])
    return jnp.mean((hidden @ params["out"][0] - y) ** 2)


def f32(*numbers):
    """Make an array of floats."""
    return np.array(numbers, np.float32)


W = np.array(1.0, np.float32)
X, Y = f32(1.0, 2.0, 3.0, 4.0), f32(1.0, 1.0, 1.0, 1.0)

EXAMPLES = [
    Call(line, W, X, Y, 2).gives(10.0),
    Call(line, W, X, Y, 4).gives(10.0),
]


def two_answers(params, x, y):
    """The mean loss of a network with three units and two outputs."""
    return jnp.mean((jnp.sin(x @ params) @ params.T - y) ** 2)


def of_network(rng, rows, k):
    """Return a call for the network with this number of rows and pieces."""

    def some(*shape):
        return rng.normal(size=shape).astype(np.float32)

    params = {"in": some(3, 64), "shift": some(64), "out": (some(64),)}
    return Call(network, params, some(rows, 3), some(rows), k)


def hidden(rng):
    """A network in pieces, in one piece and in single rows, and rows of Y with an axis."""
    yield of_network(rng, 12, 3)
    yield of_network(rng, 12, 1).when("a single piece")
    yield of_network(rng, 6, 6).when("pieces of one row")
    params, rows = rng.normal(size=(2, 3)), rng.normal(size=(2, 8, 2))
    x, y = rows.astype(np.float32)
    yield Call(two_answers, params.astype(np.float32), x, y, 4).when("rows of Y with two numbers")


def unequal(accumulated_grad):
    """Return what happens to rows that cannot be cut into equal pieces."""
    for rows, k in ((5, 2), (4, 3), (2, 4)):
        try:
            answer = accumulated_grad(
                line, jnp.float32(1), jnp.arange(float(rows)), jnp.ones(rows), k
            )
        except ValueError:
            continue
        except AssertionError:
            return f"{rows} rows in {k} pieces raise an AssertionError; `python -O` removes it"
        return f"{rows} rows in {k} pieces raise no ValueError, and give {answer}"
    return None


FIXED = np.random.default_rng(0)
BFLOAT = {"w": jnp.ones((), jnp.bfloat16), "b": jnp.ones((), jnp.float32)}


def mixed(params, x, y):
    return jnp.mean((x * params["w"] + params["b"] - y) ** 2)


PROPERTIES = [
    Types(
        [Call(mixed, BFLOAT, X, Y, 2)],
        weak=False,
        says="The gradient is a tree like params, and each leaf has the dtype of its parameter.",
    ),
    Uses(
        [of_network(FIXED, 64, 8)],
        ("scan", "while"),
        says="One loop in the program works through the pieces.",
    ),
    SameSize(
        [of_network(FIXED, 64, 2), of_network(FIXED, 64, 16)],
        says="Sixteen pieces take no more equations than two.",
    ),
    LargestIntermediate(
        lambda: [of_network(FIXED, 64, 16)],
        at_most=400,
        says="It holds one piece at a time: 4 rows of 64 units, not 64 rows.",
    ),
    Custom(
        "unequal",
        "Rows that cannot be cut into k equal pieces raise a ValueError.",
        unequal,
    ),
]
