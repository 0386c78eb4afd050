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
    """A table of moderate numbers, the bend, and the far ends."""
    yield Call(rng.normal(size=(2, 3)).astype(np.float32) * 5)
    yield Call(np.array([-1e30, -88.0, 88.0, 89.0, 1e30, 0.5, -0.5], np.float32)).when(
        "numbers whose exponentials overflow"
    )
    yield Call(np.array([-6.0, -4.0, 3.5, 5.5, 7.0], np.float32)).when("numbers near the bend")


def logistic(x):
    return 1 / (1 + np.exp(-x.astype(np.float64)))


def loses_digits(log1pexp):
    """Report a value whose leading digits are wrong, however small it is."""
    x = np.linspace(-80, 20, 101, dtype=np.float32)
    answer = np.asarray(jax.jit(log1pexp)(x), np.float64)
    expected = np.log1p(np.exp(x.astype(np.float64)))
    wrong = np.flatnonzero(np.abs(answer - expected) > 2e-5 * expected)
    if not wrong.size:
        return None
    i = wrong[-1]
    return f"at {x[i]:.4g} the answer is {answer[i]:.8g}; expected {expected[i]:.8g}"


def forward_differs(log1pexp):
    """Report a value or a rate of change along a direction that differs from the exact one."""
    way = np.array([1.0, -2.0, 3.0, 2.0, -1.0, 0.5, -3.0], np.float32)
    push = jax.jit(lambda x, v: jax.jvp(log1pexp, (x,), (v,)))
    value, answer = push(POINTS, way)
    expected = np.logaddexp(0, POINTS.astype(np.float64))
    if not np.allclose(value, expected, rtol=1e-4, atol=1e-6):
        return f"the value that comes with the slopes is {value}; expected {expected.round(4)}"
    expected = logistic(POINTS) * way
    if np.allclose(answer, expected, rtol=1e-4, atol=1e-6):
        return None
    return f"along {way.tolist()} the rate of change is {answer}; expected {expected.round(4)}"


def second_differs(log1pexp):
    """Report second derivatives that are wrong, at points near and far."""
    second = jax.jit(jax.vmap(jax.grad(jax.grad(log1pexp))))
    answer, slope = second(POINTS), logistic(POINTS)
    if np.allclose(answer, slope * (1 - slope), rtol=1e-3, atol=1e-6):
        return None
    return f"at {POINTS.tolist()} the second derivative is {answer}"


PROPERTIES = [
    Custom("digits", "Its leading digits are right, also where it is small.", loses_digits),
    Gradient(
        [Call(POINTS).when("numbers from -100 to 100, with 0 among them")],
        finite=True,
        says="Its gradient is right at -100, 0 and 100, and everywhere between.",
    ),
    Custom("forward", "Under jax.jvp it gives the same value and slopes.", forward_differs),
    Custom("second", "Its second derivative is right too, and finite.", second_differs),
    Vmap(
        [Call(POINTS.reshape(7, 1))],
        says="Under jax.vmap it does for each row what it does for one.",
    ),
    Types(
        [Call(POINTS.astype(dtype)) for dtype in (jnp.float32, jnp.bfloat16)],
        says="The answer has the dtype of x.",
    ),
]
