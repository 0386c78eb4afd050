"""What fixed-point asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Gradient, Uses, Vmap

STATIC = ("f",)


def cosine(a, y):
    return jnp.cos(a * y)


def heron(a, y):
    """Go half the way to a / y: the fixed point is the root of a."""
    return (y + a / y) / 2


ONE = np.array(1.0, np.float32)
START = np.array(0.5, np.float32)

EXAMPLES = [
    Call(cosine, ONE, START).gives(0.739085),
    Call(heron, np.array([4.0, 9.0], np.float32), np.array([1.0, 1.0], np.float32)).gives(
        [2.0, 3.0]
    ),
]


def mixed(a, y):
    """Let the elements move each other."""
    return 0.5 * jnp.tanh(a @ y) + a[0]


MATRIX = np.array([[0.3, 0.8], [-0.9, 0.4]], np.float32)
ZEROS = np.zeros(2, np.float32)


def hidden(rng):
    """A vector whose elements move each other, and a milder cosine."""
    matrix = (MATRIX + 0.1 * rng.normal(size=(2, 2))).astype(np.float32)
    yield Call(mixed, matrix, ZEROS).when("elements that depend on each other")
    yield Call(cosine, np.array(rng.uniform(0.3, 0.8), np.float32), START)


def slow(a, y):
    """Get closer by a twentieth in each iteration."""
    return 0.95 * jnp.tanh(y) + a


SLOWLY = np.array([0.001, 0.002], np.float32)
RATES = np.zeros(100, np.float32)
RATES[7] = 0.95


def one_is_slow(a, y):
    """Let one of many elements get closer slowly, and the others at once."""
    return RATES * y + a


def stops_early(fixed_point):
    """Report a loop that stops before the slowest element has converged."""
    for f, a in ((slow, SLOWLY), (one_is_slow, np.full(100, 0.01, np.float32))):
        y = jax.jit(lambda a, f=f: fixed_point(f, a, jnp.zeros_like(a)))(a)
        gap = np.abs(f(a, y) - y).max()
        if not gap < 1e-5:
            many = (
                f"for {len(a)} elements, of which {'all' if f is slow else 'one'} converge slowly"
            )
            return f"{many}, it stops where one more iteration changes an element by {gap:.1e}"
    return None


def counts_wrongly(fixed_point):
    """Report a loop that does not stop after about 1000 iterations.

    After n iterations of y + exp(-y) from 0, y is nearly log(n + 1); it never converges.
    """
    y = jax.jit(lambda a: fixed_point(lambda a, y: y + jnp.exp(-a * y), a, jnp.zeros_like(a)))(ONE)
    if 6.8 < y < 8.0:
        return None
    count = np.expm1(np.float64(y))
    return f"for an f that never converges, it applies f about {count:.0f} times"


def goes_on(fixed_point):
    """Report a loop that goes on although no element changes any more."""
    calls = []

    def halve(a, y):
        jax.debug.callback(lambda: calls.append(1))
        return y / 2 + a

    jax.block_until_ready(jax.jit(lambda a: fixed_point(halve, a, START))(ONE))
    jax.effects_barrier()
    if len(calls) < 100:
        return None
    return f"for y / 2 + 1, which has settled after 24 iterations, it applies f {len(calls)} times"


def differs_from_measured(fixed_point):
    """Report a derivative that differs from the one measured in float64."""

    def solve(a):
        y = 0.5
        for _ in range(200):
            y = np.cos(a * y)
        return y

    measured = (solve(1.001) - solve(0.999)) / 0.002
    answer = jax.jit(jax.grad(lambda a: fixed_point(cosine, a, START)))(ONE)
    if np.allclose(answer, measured, rtol=1e-3):
        return None
    return f"for cos(a y) at 1 the derivative is {answer:.4f}; the measured one is {measured:.4f}"


def keeps_rounds(fixed_point):
    """Report how much is kept for the backward pass, if it is too much for ten numbers."""
    ten = np.full(10, 0.001, np.float32)

    def packed(a):
        _, pull = jax.vjp(lambda a: fixed_point(slow, a, np.zeros(10, np.float32)), a)
        return jax.tree.leaves(pull)

    count = sum(leaf.size for leaf in jax.eval_shape(packed, ten))
    return None if count <= 900 else f"for 10 numbers, {count} are kept for the backward pass"


PROPERTIES = [
    Gradient(
        [Call(mixed, MATRIX, ZEROS)],
        argnums=1,
        says="Its gradient with respect to a is right, also where elements move one another.",
    ),
    Custom("measured", "It agrees with two answers for nearby values of a.", differs_from_measured),
    Custom("slow", "It continues until no element changes, however slowly.", stops_early),
    Custom("stops", "It stops after about 1000 iterations.", counts_wrongly),
    Gradient(
        [Call(slow, SLOWLY, ZEROS).when("an f that converges slowly")],
        argnums=1,
        primal=False,  # a loop that stops sooner leaves another answer
        name="gradient-slow",
        says="The gradient is right where the loop converges slowly, too.",
    ),
    Custom("kept", "What is kept does not grow with the number of iterations.", keeps_rounds),
    Custom("settled", "It stops when no element changes by more than 1e-6.", goes_on),
    Vmap(
        [Call(cosine, np.array([0.3, 0.6, 0.9], np.float32), START)],
        in_axes=(None, 0, None),
        says="Under jax.vmap each a has an answer of its own.",
    ),
    # Newer versions hide the loop of `custom_root` in a primitive of their own.
    Uses(
        [Call(cosine, ONE, START)],
        ("while", "call_hi_primitive"),
        says="The loop has no fixed length.",
    ),
]
