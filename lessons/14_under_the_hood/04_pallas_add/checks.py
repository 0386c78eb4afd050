"""What pallas-add asks for."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import jaxprs_in_params

from jaxtutor.core.vocabulary import Call, Custom, Types, Uses, Vmap

ARITHMETIC = {"add", "add_any", "sub", "mul", "neg", "reduce_sum", "dot_general", "cumsum"}
THREE = np.array([1.0, 2.0, 3.0], np.float32)
TENS = np.array([10.0, 20.0, 30.0], np.float32)

EXAMPLES = [
    Call(THREE, TENS).gives([11.0, 22.0, 33.0]),
    Call(np.array([[1, 2]], np.int32), np.array([[-1, 5]], np.int32)).gives([[0, 7]]),
]


def hidden(rng):
    """A cube, a single element, and numbers that are not finite."""
    cube = rng.normal(size=(2, 2, 3, 4)).astype(np.float32)
    yield Call(*cube).when("three axes")
    yield Call(np.array([0.5], np.float32), np.array([-0.5], np.float32)).when("a single element")
    far = np.array([np.inf, -np.inf, np.nan], np.float32)
    yield Call(far, np.array([1.0, np.inf, 1.0], np.float32)).when("infinity and NaN")


def outside(jaxpr):
    """Yield the equations that are in no kernel."""
    for equation in jaxpr.eqns:
        yield equation
        if equation.primitive.name != "pallas_call":
            for inner in jaxprs_in_params(equation.params):
                yield from outside(inner)


def kernel_adds(pallas_add):
    """Return the arithmetic that is done outside of the kernel."""
    jaxpr = jax.make_jaxpr(pallas_add)(THREE, TENS).jaxpr
    names = {equation.primitive.name for equation in outside(jaxpr)} & ARITHMETIC
    return f"outside of the kernel there is `{min(names)}`" if names else None


def pair(dtype):
    """Return a call with two arrays of a dtype."""
    return Call(THREE.astype(dtype), TENS.astype(dtype))


PROPERTIES = [
    Uses([Call(THREE, TENS)], primitives=("pallas_call",), says="Its jaxpr holds a pallas_call."),
    Custom("kernel-adds", "The addition happens in the kernel.", kernel_adds),
    Types(
        [pair(dtype) for dtype in (jnp.int32, jnp.bfloat16, jnp.float32)],
        says="The sum has the dtype of x and y: int32, bfloat16 or float32.",
    ),
    Vmap(
        [Call(np.stack([THREE, TENS]), np.stack([TENS, TENS]))],
        says="Under jax.vmap it adds each pair of rows.",
    ),
]
