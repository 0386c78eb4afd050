"""What pallas-softmax asks for."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import jaxprs_in_params

from jaxtutor.core.vocabulary import Call, Custom, Finite, Gradient, Types, Uses, Vmap

# Ten rows: two blocks of four, and a half. One shape for all, because each costs a compile.
TEN = 2 * np.sin(np.arange(80, dtype=np.float32)).reshape(10, 8)
FAR = 1e4 * np.round(np.sin(np.arange(80, dtype=np.float32))).reshape(10, 8)

EXAMPLES = [
    Call(np.zeros((2, 4), np.float32)).gives([[0.25] * 4, [0.25] * 4]),
    Call(np.array([[1e4, 0.0, 1e4]], np.float32)).gives([[0.5, 0.0, 0.5]]),
]


def hidden(rng):
    """Small and large numbers in two blocks of rows and a half, and a single column."""
    for scale in (1.0, 100.0):
        yield Call((rng.normal(size=(10, 8)) * scale).astype(np.float32))
    steps = np.linspace(-1e4, 1e4, 10)[:, None]
    yield Call((TEN + steps).astype(np.float32)).when("rows of very different size")
    yield Call(np.full((5, 1), -3.0, np.float32)).when("a single column")


def walk(jaxpr, kernel=None):
    """Yield each equation, with the kernel that holds it."""
    for equation in jaxpr.eqns:
        yield equation, kernel
        is_call = equation.primitive.name == "pallas_call"
        for inner in jaxprs_in_params(equation.params):
            yield from walk(inner, inner if is_call else kernel)


def fused(softmax):
    """Return whether there is an exponential outside of the kernel."""
    for equation, kernel in walk(jax.make_jaxpr(softmax)(TEN).jaxpr):
        if equation.primitive.name in ("exp", "exp2") and kernel is None:
            return "there is an exponential outside of the kernel"
    return None


def in_blocks(softmax):
    """Return how many numbers a run sees, if more than four rows."""
    for _, kernel in walk(jax.make_jaxpr(softmax)(np.ones((64, 3), np.float32)).jaxpr):
        for place in kernel.invars if kernel else ():
            if place.aval.size > 4 * 3:
                return f"one run sees a block of shape {place.aval.shape} of a table of (64, 3)"
    return None


PROPERTIES = [
    Uses([Call(TEN)], primitives=("pallas_call",), says="Its jaxpr holds a pallas_call."),
    Custom("fused", "The exponential is taken in the kernel.", fused),
    Custom("blocks", "One run of the kernel holds at most 4 rows.", in_blocks),
    Types(
        [Call(TEN), Call(TEN.astype(jnp.bfloat16))],
        says="The result has the dtype of x: float32 or bfloat16.",
    ),
    Gradient([Call(TEN)], says="Its gradient is that of a softmax, for ten rows."),
    Gradient(
        [Call(TEN.astype(jnp.bfloat16))],
        name="gradient-bfloat16",
        says="For bfloat16 the gradient is bfloat16.",
    ),
    Finite(
        [Call(FAR), Call(FAR[:, :1] + TEN)],
        gradient=True,
        says="At 10000 and -10000, value and gradient are finite.",
    ),
    Vmap(
        [Call(np.stack([TEN, -TEN]))],
        says="Under jax.vmap it does for each table what it does for one.",
    ),
]
