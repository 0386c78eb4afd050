"""What fixed-point asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Gradient, Uses, Vmap

STATIC = ("f",)


def cosine(a, y):
    return jnp.cos(a * y)


def heron(a, y):
    """Halve the way to a / y: the fixed point is the root of a."""
    return (y + a / y) / 2


ONE = np.array(1.0, np.float32)
START = np.array(0.5, np.float32)

EXAMPLES = [
    Call(cosine, ONE, START).gives(0.7390851),
    Call(heron, np.array([4.0, 9.0], np.float32), np.array([1.0, 1.0], np.float32)).gives(
        [2.0, 3.0]
    ),
]


def mixed(a, y):
    """Elements that move each other."""
    return 0.5 * jnp.tanh(a @ y) + a[0]


MATRIX = np.array([[0.3, 0.8], [-0.9, 0.4]], np.float32)
ZEROS = np.zeros(2, np.float32)


def hidden(rng):
    """A vector whose elements move each other, and a milder cosine."""
    yield Call(mixed, (MATRIX + 0.1 * rng.normal(size=(2, 2))).astype(np.float32), ZEROS)
    yield Call(cosine, np.array(rng.uniform(0.3, 0.8), np.float32), START)


def slow(a, y):
    """Come closer by a twentieth in each round."""
    return 0.95 * jnp.tanh(y) + a


def stops_early(fixed_point):
    """Let it find a point that is reached slowly."""
    a = np.array([0.001, 0.002], np.float32)
    y = np.asarray(jax.jit(lambda a: fixed_point(slow, a, ZEROS))(a))
    gap = np.abs(0.95 * np.tanh(y) + a - y).max()
    return None if gap < 1e-5 else f"it stopped at {y}, where one more round changes {gap:.1e}"


def differs_from_measured(fixed_point):
    """Compare with the difference of two answers in float64."""

    def solve(a):
        y = 0.5
        for _ in range(200):
            y = np.cos(a * y)
        return y

    measured = (solve(1.001) - solve(0.999)) / 0.002
    answer = jax.jit(jax.grad(lambda a: fixed_point(cosine, a, START)))(ONE)
    if np.allclose(answer, measured, rtol=1e-3):
        return None
    return f"for cos(a y) at 1 the derivative is {answer:.4f}; measured, it is {measured:.4f}"


def keeps_rounds(fixed_point):
    """Count what is kept for the way back of ten numbers."""
    ten = np.full(10, 0.001, np.float32)

    def packed(a):
        _, pull = jax.vjp(lambda a: fixed_point(slow, a, np.zeros(10, np.float32)), a)
        return jax.tree.leaves(pull)

    count = sum(leaf.size for leaf in jax.eval_shape(packed, ten))
    return None if count <= 900 else f"for 10 numbers, {count} are kept for the way back"


PROPERTIES = [
    Gradient(
        [Call(mixed, MATRIX, ZEROS)],
        argnums=1,
        says="Its gradient by a is that of the answer, whose elements may move each other.",
    ),
    Custom("measured", "It is what two answers close by show.", differs_from_measured),
    Custom("slow", "It goes on until nothing changes, however slowly.", stops_early),
    Custom("kept", "What is kept for the way back does not grow with the rounds.", keeps_rounds),
    Vmap(
        [Call(cosine, np.array([0.3, 0.6, 0.9], np.float32), START)],
        in_axes=(None, 0, None),
        says="Under jax.vmap each a has an answer of its own.",
    ),
    # Newer versions hide the loop of `custom_root` in a primitive of their own.
    Uses(
        [Call(cosine, ONE, START)],
        ("while", "call_hi_primitive"),
        says="It is a loop of unknown length.",
    ),
]
