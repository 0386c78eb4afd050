"""Checks for power-fori."""

import jax

from jaxtutor.core.vocabulary import Avoids, Call, Custom, SameSize, Traces

STATIC = ("max_n",)

EXAMPLES = [
    Call(2.0, 5, 8).gives(32.0),
    Call(-1.5, 3, 8).gives(-3.375),
]


def hidden(rng):
    """Yield n = 0, n = max_n, x = 0, other values of max_n, and one at random."""
    yield Call(3.0, 0, 8).when("an n of 0")
    yield Call(1.25, 8, 8).when("an n equal to max_n")
    yield Call(0.0, 0, 8).when("0 to the power of 0")
    yield Call(0.0, 2, 8).when("an x of 0")
    yield Call(float(rng.normal()), 6, 8)
    yield Call(1.1, 13, 20).when("a max_n above 8")
    yield Call(-3.0, 1, 1).when("a max_n of 1")
    yield Call(2.5, 0, 0).when("a max_n of 0")


POINTS = ((2.0, 5, 80.0), (-1.5, 3, 6.75), (3.0, 0, 0.0), (0.0, 1, 1.0), (0.0, 2, 0.0))


def differentiates(power):
    """Return where the compiled gradient is wrong, or None."""
    gradient = jax.jit(jax.grad(power), static_argnums=2)
    for x, n, wanted in POINTS:
        got = float(gradient(x, n, 8))
        if not abs(got - wanted) <= 1e-3 * max(1.0, abs(wanted)):
            return f"for x={x}, n={n} the derivative is {wanted}, but jax.jit(jax.grad) gives {got}"
    return None


PROPERTIES = [
    Custom(
        "gradient",
        "jax.jit(jax.grad(power)) gives the derivative with respect to x.",
        differentiates,
    ),
    Avoids(
        [Call(2.0, 5, 8)],
        primitives=("while",),
        says="Its jaxpr contains no while: the number of rounds is fixed.",
    ),
    Avoids(
        [Call(2.0, 5, 8)],
        primitives=("pow", "integer_pow", "exp", "log"),
        name="no-power",
        says="It multiplies, without powers, exponentials and logarithms.",
    ),
    Traces([Call(2.0, n, 8) for n in (0, 3, 8)], says="It is traced once for all n."),
    SameSize(
        [Call(2.0, 5, 8), Call(2.0, 5, 512)],
        factor=3,
        says="With max_n 512 instead of 8 its jaxpr has at most three times as many equations.",
    ),
]
