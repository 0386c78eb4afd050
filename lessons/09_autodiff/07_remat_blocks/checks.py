"""What remat-blocks asks for."""

import jax
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Gradient, Uses

STATIC = ("keep_dots",)

FLIP = np.array([[[0.0, 1.0], [1.0, 0.0]]], np.float32)

EXAMPLES = [
    Call(np.array([1.0, 0.0], np.float32), FLIP).gives([1.0, 0.6408594]),
    Call(np.array([1.0, 0.0], np.float32), 0 * FLIP).gives([1.0, 0.0]),
]

DEPTH, WIDTH = 6, 5
FIXED = np.random.default_rng(9)
X = FIXED.normal(size=WIDTH).astype(np.float32)
WS = (FIXED.normal(size=(DEPTH, WIDTH, WIDTH)) / 2).astype(np.float32)


def hidden(rng):
    """A few layers, with and without keep_dots."""
    yield Call(X, WS[:2])
    yield Call(X, WS[:2], keep_dots=True).when("keep_dots=True")


def kept(deep, keep_dots):
    """Count the numbers that are kept for the backward pass, the matrices excluded."""

    def packed(x, ws):
        _, pull = jax.vjp(lambda x, ws: deep(x, ws, keep_dots), x, ws)
        return jax.tree.leaves(pull)

    return sum(leaf.size for leaf in jax.eval_shape(packed, X, WS)) - WS.size


def keeps_other(deep):
    """Report anything but one vector for each block, its input."""
    count = kept(deep, False)
    if abs(count - DEPTH * WIDTH) <= WIDTH:
        return None
    if count < DEPTH * WIDTH:
        return (
            f"{count} numbers are kept for {DEPTH} blocks of {WIDTH}: too few. "
            "The backward pass has "
            "to recompute several blocks at once"
        )
    return f"{count} numbers are kept for {DEPTH} blocks of {WIDTH}; {DEPTH * WIDTH} are enough"


def keeps_other_dots(deep):
    """Report anything but two vectors for each block, its input and its product."""
    count, wanted = kept(deep, True), 2 * DEPTH * WIDTH
    if abs(count - wanted) <= WIDTH:
        return None
    return f"{count} numbers are kept for {DEPTH} blocks of {WIDTH}; expected {wanted}"


PROPERTIES = [
    Gradient([Call(X, WS[:2])], argnums=(0, 1), says="Its gradient is that of the blocks."),
    Gradient(
        [Call(X, WS[:2], True)],
        argnums=(0, 1),
        name="gradient-dots",
        says="With keep_dots, its gradient is the same.",
    ),
    Custom("kept", "Of each block, only its input is kept for the backward pass.", keeps_other),
    Custom("kept-dots", "With keep_dots, its matrix product is kept too.", keeps_other_dots),
    Uses(
        [Call(X, WS)],
        ("remat2", "checkpoint", "remat"),
        says="The program marks where values are recomputed.",
    ),
]
