"""What power-fori asks for."""

import jax

from jaxtutor.core.vocabulary import Avoids, Call, Custom, SameSize, Traces

STATIC = ("max_n",)

EXAMPLES = [
    Call(2.0, 5, 8).gives(32.0),
    Call(-1.5, 3, 8).gives(-3.375),
]


def hidden(rng):
    """No factor, all factors, 0 to the power 0 and above, and one at random."""
    for x, n in ((3.0, 0), (1.25, 8), (0.0, 0), (0.0, 2), (float(rng.normal()), 6)):
        yield Call(x, n, 8)


POINTS = ((2.0, 5, 80.0), (-1.5, 3, 6.75), (3.0, 0, 0.0), (0.0, 1, 1.0), (0.0, 2, 0.0))


def differentiates(power):
    """Say what is wrong with the compiled gradient."""
    gradient = jax.jit(jax.grad(power), static_argnums=2)
    for x, n, wanted in POINTS:
        got = float(gradient(x, n, 8))
        if not abs(got - wanted) <= 1e-3 * max(1.0, abs(wanted)):
            return f"for x={x}, n={n} the derivative is {wanted}, and jax.jit(jax.grad) gives {got}"
    return None


PROPERTIES = [
    Custom("gradient", "jax.jit(jax.grad(power)) gives the derivative in x.", differentiates),
    Avoids(
        [Call(2.0, 5, 8)],
        primitives=("while",),
        says="There is no while in its jaxpr: the number of rounds is fixed.",
    ),
    Avoids(
        [Call(2.0, 5, 8)],
        primitives=("pow", "integer_pow", "exp", "log"),
        name="no-power",
        says="It multiplies, and uses neither ** nor jnp.power.",
    ),
    Traces([Call(2.0, n, 8) for n in (0, 3, 8)], says="It is traced once for all n."),
    SameSize(
        [Call(2.0, 5, 8), Call(2.0, 5, 512)],
        factor=3,
        says="With max_n 512 instead of 8, the program is not much longer.",
    ),
]
