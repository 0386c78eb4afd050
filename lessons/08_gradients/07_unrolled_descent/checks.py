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
    """A curved loss from another start, for more steps, and a matrix."""
    yield Call(valley, (X0 + 0.1 * rng.normal(size=3)).astype(np.float32), 0.05, 6).when(
        "a loss whose slope changes along the way"
    )
    yield Call(bowl, rng.normal(size=(2, 2)).astype(np.float32), 0.1, 4).when("a matrix for x0")


def quartic(x):
    return jnp.sum(x**4)


def train(lr):
    """Return the final loss after three steps on the quartic, in NumPy."""
    x = X0.astype(np.float64)
    for _ in range(3):
        x = x - lr * 4 * x**3
    return np.sum(x**4)


def differs_from_measured(final_loss_grad_lr):
    """Report a derivative that differs from the one measured with two trainings."""
    measured = (train(0.501) - train(0.499)) / 0.002
    answer = jax.jit(final_loss_grad_lr, static_argnums=(0, 3))(quartic, X0, 0.5, 3)
    if np.allclose(answer, measured, rtol=0.01):
        return None
    return f"the answer is {answer:.4g}; two trainings with nearby rates give {measured:.4g}"


PROPERTIES = [
    Types([Call(bowl, ONE, 0.25, 2)], weak=False, says="The answer is one float32."),
    Traces(
        [Call(bowl, ONE, lr, 2) for lr in (0.1, 0.2, 0.3)],
        says="It is traced once for three learning rates.",
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
        "It agrees with two trainings whose rates differ a little.",
        differs_from_measured,
    ),
]
