"""What pallas-matmul asks for."""

import math

import jax
import numpy as np
from jax.extend.core import jaxprs_in_params

from jaxtutor.core.vocabulary import Call, Custom, Uses, Vmap

STATIC = ("bm", "bk", "bn")

SQUARE = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
SIX = np.arange(24, dtype=np.float32).reshape(4, 6) % 5

EXAMPLES = [
    Call(SQUARE, np.eye(2, dtype=np.float32), 1, 1, 1).gives([[1.0, 2.0], [3.0, 4.0]]),
    Call(SQUARE, np.array([[5.0], [6.0]], np.float32), 2, 1, 1).gives([[17.0], [39.0]]),
]


def hidden(rng):
    """Four blocks and more along each axis, where an index map in elements is wrong; one; dust."""

    def whole(*shape):
        # Whole numbers: a sum in another order is the same sum.
        return rng.integers(-4, 5, size=shape).astype(np.float32)

    many = Call(whole(8, 15), whole(15, 16), 2, 3, 4)
    yield many.when("four blocks and more along each axis")
    yield Call(whole(3, 4), whole(4, 2), 3, 4, 2).when("a single block")
    fine = (1 + rng.random((4, 4)) / 512).astype(np.float32)
    yield Call(fine, fine.T.copy(), 2, 2, 2).when("numbers that bfloat16 cannot tell apart")


def products(jaxpr, inside=False):
    """Yield each matrix product, and whether a kernel holds it."""
    for equation in jaxpr.eqns:
        name = equation.primitive.name
        if name == "dot_general":
            yield equation, inside
        for inner in jaxprs_in_params(equation.params):
            yield from products(inner, inside or name == "pallas_call")


def in_blocks(tiled_matmul):
    """Return where a product is larger than that of two blocks."""
    bm, bk, bn = 2, 3, 4
    whole = np.ones((8, 12), np.float32), np.ones((12, 16), np.float32)
    jaxpr = jax.make_jaxpr(lambda a, b: tiled_matmul(a, b, bm, bk, bn))(*whole).jaxpr
    for equation, inside in products(jaxpr):
        left, right = (var.aval for var in equation.invars)
        if not inside:
            return f"outside of the kernel, {left.shape} is multiplied by {right.shape}"
        if left.size > bm * bk or right.size > bk * bn:
            return f"with bm, bk, bn = 2, 3, 4 the kernel multiplies {left.shape} by {right.shape}"
    return None


def kernels(jaxpr):
    """Yield each kernel that a jaxpr calls."""
    for equation in jaxpr.eqns:
        if equation.primitive.name == "pallas_call":
            yield equation
        for inner in jaxprs_in_params(equation.params):
            yield from kernels(inner)


def runs_too_often(tiled_matmul):
    """Return how often the kernel runs, if that is more than once for three blocks."""
    whole = np.ones((8, 12), np.float32), np.ones((12, 16), np.float32)
    jaxpr = jax.make_jaxpr(lambda a, b: tiled_matmul(a, b, 2, 3, 4))(*whole).jaxpr
    grids = [equation.params["grid_mapping"].grid for equation in kernels(jaxpr)]
    runs = sum(map(math.prod, grids))
    if runs <= 4 * 4 * 4:
        return None
    return f"for 4 blocks along each axis the grid is {', '.join(map(str, grids))}"


PROPERTIES = [
    Uses([Call(SIX, SIX.T, 2, 2, 2)], primitives=("pallas_call",), says="It holds a pallas_call."),
    Custom("blocks", "The kernel multiplies blocks, and nothing is multiplied outside.", in_blocks),
    Custom("runs", "The kernel runs once for each combination of blocks.", runs_too_often),
    Vmap(
        [Call(np.stack([SIX, -SIX]), SIX.T, 2, 2, 2)],
        in_axes=(0, None, None, None, None),
        says="Under jax.vmap it multiplies each of many matrices.",
    ),
]
