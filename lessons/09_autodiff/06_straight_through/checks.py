"""What straight-through asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Gradient, Types, Vmap

SIX = np.array([0.2, -1.7, 2.5, 3.5, -0.5, 1e6 + 0.25], np.float32)

EXAMPLES = [
    Call(np.array([0.2, 1.7, -2.6], np.float32)).gives([0.0, 2.0, -3.0]),
    Call(np.array([0.5, 1.5, 2.5], np.float32)).gives([0.0, 2.0, 2.0]),
]


def hidden(rng):
    """Numbers of several sizes."""
    for scale in (3, 1000):
        yield Call((rng.normal(size=(2, 3)) * scale).astype(np.float32))


def second_differs(round_ste):
    """Report the derivatives of its cube, unless they are those of a slope of 1."""

    def cube(x):
        return round_ste(x) ** 3

    first, second = jax.jit(jax.grad(cube))(2.6), jax.jit(jax.grad(jax.grad(cube)))(2.6)
    if first == 27.0 and second == 18.0:
        return None
    return (
        f"the derivatives of round_ste(x) ** 3 at 2.6 are {first} and {second}; expected 27 and 18"
    )


def is_inexact(round_ste):
    """Report a number that is not rounded as jnp.round does."""
    x = np.append(np.linspace(-40.3, 50.7, 997), [3e10, -5e9, 2.0**40]).astype(np.float32)
    wrong = np.flatnonzero(np.abs(jax.jit(round_ste)(x) - np.round(x)) > 1e-5 + 1e-6 * np.abs(x))
    return f"{x[wrong[0]]:.6g} is not rounded as jnp.round does" if wrong.size else None


PROPERTIES = [
    Gradient([Call(SIX)], says="Its gradient is that of x: 1 for each element."),
    Custom("second", "Further derivatives are those of x as well.", second_differs),
    Custom("rounding", "The value is that of jnp.round.", is_inexact),
    Vmap(
        [Call(SIX.reshape(3, 2))], says="Under jax.vmap it does for each row what it does for one."
    ),
    Types(
        [Call(SIX.astype(dtype)) for dtype in (jnp.float32, jnp.bfloat16)],
        says="The answer has the dtype of x.",
    ),
]
