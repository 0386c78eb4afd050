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


def of_network(rng, rows, k):
    """Make a call for the network, with so many rows in so many pieces."""

    def some(*shape):
        return rng.normal(size=shape).astype(np.float32)

    params = {"in": some(3, 64), "shift": some(64), "out": (some(64),)}
    return Call(network, params, some(rows, 3), some(rows), k)


def hidden(rng):
    """A network in pieces, and in one piece."""
    yield of_network(rng, 12, 3)
    yield of_network(rng, 12, 1)


def unequal(accumulated_grad):
    """Say what happens to rows that cannot be cut into equal pieces."""
    try:
        answer = accumulated_grad(line, jnp.float32(1), jnp.arange(5.0), jnp.ones(5), 2)
    except (ValueError, AssertionError):
        return None
    return f"five rows in two pieces raise no ValueError, and give {answer}"


FIXED = np.random.default_rng(0)
BFLOAT = {"w": jnp.ones((), jnp.bfloat16), "b": jnp.ones((), jnp.float32)}


def mixed(params, x, y):
    return jnp.mean((x * params["w"] + params["b"] - y) ** 2)


PROPERTIES = [
    Types(
        [Call(mixed, BFLOAT, X, Y, 2)],
        weak=False,
        says="The gradient is a tree like params, each leaf with its dtype.",
    ),
    Uses(
        [of_network(FIXED, 64, 8)],
        ("scan", "while"),
        says="The pieces are worked through by one loop in the program.",
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
