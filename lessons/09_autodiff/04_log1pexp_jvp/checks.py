"""What log1pexp-jvp asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Gradient, Types, Vmap

EXAMPLES = [
    Call(np.array([0.0, 100.0], np.float32)).gives([0.6931472, 100.0]),
    Call(np.array([-100.0, 1.0], np.float32)).gives([0.0, 1.3132616]),
]

POINTS = np.array([-100.0, -20.0, -1.0, 0.0, 1.0, 20.0, 100.0], np.float32)


def hidden(rng):
    """A table of moderate numbers, and the far ends."""
    yield Call(rng.normal(size=(2, 3)).astype(np.float32) * 5)
    yield Call(np.array([-1e30, -88.0, 88.0, 89.0, 1e30, 0.5, -0.5], np.float32))


def logistic(x):
    return 1 / (1 + np.exp(-x.astype(np.float64)))


def forward_differs(log1pexp):
    """Push a direction of varied entries through it."""
    way = np.array([1.0, -2.0, 3.0, 2.0, -1.0, 0.5, -3.0], np.float32)
    push = jax.jit(lambda x, v: jax.jvp(log1pexp, (x,), (v,))[1])
    answer, expected = push(POINTS, way), logistic(POINTS) * way
    if np.allclose(answer, expected, rtol=1e-4, atol=1e-6):
        return None
    return f"along {way.tolist()} it changes by {answer}; it should be {expected.round(4)}"


def second_differs(log1pexp):
    """Differentiate twice, at points near and far."""
    second = jax.jit(jax.vmap(jax.grad(jax.grad(log1pexp))))
    answer, slope = second(POINTS), logistic(POINTS)
    if np.allclose(answer, slope * (1 - slope), rtol=1e-3, atol=1e-6):
        return None
    return f"at {POINTS.tolist()} the second derivative is {answer}"


PROPERTIES = [
    Gradient(
        [Call(POINTS)],
        finite=True,
        says="Its gradient is exact at -100, 0 and 100, and all between.",
    ),
    Custom("forward", "Under jax.jvp it gives the same slopes.", forward_differs),
    Custom("second", "Its second derivative is right too, and finite.", second_differs),
    Vmap([Call(POINTS.reshape(7, 1))], says="Under jax.vmap it does for each row what it does."),
    Types(
        [Call(POINTS.astype(dtype)) for dtype in (jnp.float32, jnp.bfloat16)],
        says="The answer has the dtype of x.",
    ),
]
