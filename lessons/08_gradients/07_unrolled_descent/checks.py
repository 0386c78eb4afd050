"""What unrolled-descent asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, SameSize, Traces, Types, Uses

STATIC = ("loss", "steps")


def bowl(x):
    return jnp.sum(x**2)


def valley(x):
    """A curved loss, whose gradient changes along the way."""
    return (x[0] - 1) ** 2 + jnp.sum(jnp.cosh(x[1:] - x[:-1] ** 2))


ONE = np.array([1.0], np.float32)
X0 = np.array([0.3, -0.2, 0.1], np.float32)

EXAMPLES = [
    Call(bowl, ONE, 0.25, 1).gives(-2.0),
    Call(bowl, ONE, 0.25, 2).gives(-1.0),
]


def hidden(rng):
    """A curved loss from elsewhere, for some steps more."""
    yield Call(valley, (X0 + 0.1 * rng.normal(size=3)).astype(np.float32), 0.05, 6)


def quartic(x):
    return jnp.sum(x**4)


def train(lr):
    """Do three steps on the quartic with numpy, and return the final loss."""
    x = X0.astype(np.float64)
    for _ in range(3):
        x = x - lr * 4 * x**3
    return np.sum(x**4)


def differs_from_measured(final_loss_grad_lr):
    """Compare the derivative with a difference of two trainings."""
    measured = (train(0.501) - train(0.499)) / 0.002
    answer = jax.jit(final_loss_grad_lr, static_argnums=(0, 3))(quartic, X0, 0.5, 3)
    if np.allclose(answer, measured, rtol=0.01):
        return None
    return f"it is {answer:.4g}; two trainings with rates close by differ by {measured:.4g}"


PROPERTIES = [
    Types([Call(bowl, ONE, 0.25, 2)], weak=False, says="The answer is one float32."),
    Traces(
        [Call(bowl, ONE, lr, 2) for lr in (0.1, 0.2, 0.3)],
        says="Three learning rates trace it once.",
    ),
    SameSize(
        [Call(bowl, ONE, 0.25, 3), Call(bowl, ONE, 0.25, 30)],
        says="Thirty steps take no more equations than three.",
    ),
    Uses(
        [Call(bowl, ONE, 0.25, 3)],
        ("scan", "while"),
        says="The steps are one loop in the program.",
    ),
    Custom(
        "measured",
        "It is what two trainings with rates close by show.",
        differs_from_measured,
    ),
]
