"""Checks for while-until."""

import jax
import numpy as np

from jaxtutor.core.vocabulary import Avoids, Call, Custom, Traces, Uses, Vmap

EXAMPLES = [
    Call(9.0, 1e-5).gives(3.0),
    Call(2.0, 1e-5).gives(1.41421),
]


def hidden(rng):
    """Yield tiny and large numbers, one that is its own root, and one at random.

    An absolute error below tol can be reached for each of them, so a wrong condition ends too.
    """
    yield Call(1e-6, 1e-5).when("an x far smaller than tol")
    yield Call(1.0, 1e-5).when("an x that is its own root")
    yield Call(4.0**10, 1e-5).when("a large x")
    yield Call(float(rng.uniform(0.1, 1)), 1e-5)


def differentiates(newton_sqrt):
    """Return what is wrong with the derivative at 4, which is 1/4, or None."""
    slope = jax.jit(jax.jacfwd(newton_sqrt))(4.0, 1e-6)
    if abs(float(slope) - 0.25) > 0.005:
        return f"the derivative at 4 is 0.25, and forward mode gives {float(slope):.4g}"
    return None


def stops_in_time(newton_sqrt):
    """Return where an answer is worse than tol allows, or a message if tol makes no difference."""
    root = jax.jit(newton_sqrt)
    xs = (1e-6, 3.0, 50.0, 4.0**10)
    for tol in (1e-2, 1e-6):
        for x in xs:
            y = float(root(x, tol))
            error = abs(y * y - x) / x
            if not error <= 1.01 * tol + 5e-7:
                return f"for x={x}, tol={tol} the answer is {y:.6g}: the error is {error:.2g} * x"
    if all(float(root(x, 1.0)) == float(root(x, 1e-6)) for x in xs):
        return "with tol=1.0 the answers are those for tol=1e-6, so the loop does not look at tol"
    return None


PROPERTIES = [
    Uses(
        [Call(9.0, 1e-5)],
        primitives=("while",),
        says="Its jaxpr contains a while: the loop is part of the program.",
    ),
    Avoids(
        [Call(9.0, 1e-5)],
        primitives=("sqrt", "rsqrt", "pow", "exp", "exp2", "log"),
        name="no-root",
        says="It uses no square root, fractional power or logarithm.",
    ),
    Custom("tolerance", "It stops as soon as tol allows, and not before.", stops_in_time),
    Traces(
        [Call(2.0, 1e-5), Call(900.0, 1e-5), Call(2.0, 1e-3)],
        says="It is traced once for all x and tol.",
    ),
    Vmap(
        [Call(np.array([1.0, 2.0, 900.0], np.float32), 1e-5)],
        in_axes=(0, None),
        says="Under jax.vmap each number gets its own root.",
    ),
    Custom("derivative", "It has the right forward derivative.", differentiates),
]
