"""What hvp asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, LargestIntermediate

STATIC = ("f",)


def tent(x):
    return x[0] ** 2 * x[1]


X = np.array([1.0, 2.0], np.float32)

EXAMPLES = [
    Call(tent, X, np.array([1.0, 0.0], np.float32)).gives([4.0, 2.0]),
    Call(tent, X, np.array([0.0, 1.0], np.float32)).gives([2.0, 0.0]),
]


def loss(params):
    """Return the loss of a small network, with a tree of parameters."""
    hidden = jnp.tanh(params["w"] @ jnp.array([0.5, -1.0]) + params["b"])
    return jnp.sum(hidden**2) + jnp.prod(hidden)


def hidden(rng):
    """A tree of parameters, and a long direction."""
    x, v = rng.normal(size=(2, 2)).astype(np.float32)
    yield Call(tent, x, 10 * v).when("a v that is not of length 1")
    point, way = (
        {"w": rng.normal(size=(3, 2)).astype(np.float32), "b": np.full(3, b, np.float32)}
        for b in (0.1, -1.0)
    )
    yield Call(loss, point, way).when("a tree for x")


def bumpy(x):
    return jnp.sum(x) ** 3 + jnp.sum(x**4)


def differs_from_dense(hvp):
    """Report a product that differs from the known matrix: 6 s, plus 12 x**2 on the diagonal."""
    x, v = (np.array(a, np.float32) for a in ([0.1, -0.4, 0.5, 1, -2], [1, 0, -1, 2, 0.5]))
    matrix = 6 * x.sum() * np.ones((5, 5)) + np.diag(12 * x**2)
    answer = jax.jit(lambda x, v: hvp(bumpy, x, v))(x, v)
    if np.shape(answer) == (5,) and np.allclose(answer, matrix @ v, rtol=1e-3, atol=1e-3):
        return None
    return f"for five numbers the answer is {answer}; the Hessian times v is {matrix @ v}"


HUNDRED = np.linspace(-1, 1, 100, dtype=np.float32)

PROPERTIES = [
    Custom("dense", "It agrees with the matrix, where the matrix is small.", differs_from_dense),
    LargestIntermediate(
        [Call(bumpy, HUNDRED, HUNDRED)],
        at_most=1000,
        says="For 100 numbers no matrix of 10000 is built.",
    ),
]
