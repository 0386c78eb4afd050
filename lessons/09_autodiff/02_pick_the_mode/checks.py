"""What pick-the-mode asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Traces, Types

STATIC = ("f",)


def box(x):
    """Area, one side, and the square on the other."""
    return jnp.array([x[0] * x[1], x[0], x[1] ** 2])


def volume(x):
    return jnp.prod(x).reshape(1)


EXAMPLES = [
    Call(box, np.array([2.0, 3.0], np.float32)).gives([[3.0, 2.0], [1.0, 0.0], [0.0, 6.0]]),
    Call(volume, np.array([1.0, 2.0, 3.0], np.float32)).gives([[6.0, 3.0, 2.0]]),
]


def tall(x):
    """Few inputs, many outputs."""
    return jnp.outer(jnp.arange(40.0), jnp.sin(x)).sum(1)


def wide(x):
    """Many inputs, few outputs."""
    return jnp.stack([jnp.sum(jnp.sin(x)), jnp.sum(x**3)])


TWO = np.array([0.3, -0.7], np.float32)
FORTY = np.linspace(-1, 1, 40, dtype=np.float32)


def hidden(rng):
    """As many outputs as inputs, a single input, and products of all inputs."""
    yield Call(jnp.tanh, rng.normal(size=3).astype(np.float32)).when("as many outputs as inputs")
    yield Call(tall, np.array([0.5], np.float32)).when("a single input")
    yield Call(wide, rng.normal(size=5).astype(np.float32))


def mixing(inputs, outputs):
    """Return a function with so many inputs and outputs, and an input for it."""
    weights = np.cos(np.arange(inputs * outputs, dtype=np.float32)).reshape(outputs, inputs)
    return lambda x: weights @ jnp.sin(x), np.linspace(-1, 1, inputs, dtype=np.float32)


def produced(jaxpr):
    """Count the numbers that the equations of a jaxpr produce, those inside others included."""
    total = 0
    for equation in jaxpr.eqns:
        total += sum(var.aval.size for var in equation.outvars)
        inner = jax.tree.leaves(
            list(equation.params.values()), is_leaf=lambda p: hasattr(p, "eqns")
        )
        bodies = [getattr(p, "jaxpr", p) for p in inner if hasattr(p, "eqns")]
        total += equation.params.get("length", 1) * sum(map(produced, bodies))
    return total


def work(function, f, x):
    """Count the numbers that computing a Jacobian produces."""
    return produced(jax.make_jaxpr(lambda x: function(f, x))(x).jaxpr)


SHAPES = ((2, 40), (40, 2), (40, 400), (400, 40), (1, 8), (8, 1), (8, 40), (40, 8))


def too_much(jacobian):
    """Report a shape for which the more expensive mode is used."""
    for inputs, outputs in SHAPES:
        f, x = mixing(inputs, outputs)
        least = min(work(lambda f, x, t=t: t(f)(x), f, x) for t in (jax.jacfwd, jax.jacrev))
        done = work(jacobian, f, x)
        if done > 3 * least:
            counts = f"{inputs} input{'s' * (inputs > 1)} and {outputs} output{'s' * (outputs > 1)}"
            return f"with {counts}, its program produces {done} numbers; {least} are enough"
    return None


def is_run(jacobian):
    """Report that f is called with values, not only with tracers."""
    seen = []

    def f(x):
        seen.append(isinstance(x, jax.core.Tracer))
        return 2 * x

    jacobian(f, jnp.asarray(TWO))
    return None if all(seen) else "f is computed on x, which the Jacobian does not need"


PROPERTIES = [
    Custom(
        "work",
        "It uses the cheaper mode: forward for few inputs, backward for few outputs.",
        too_much,
    ),
    Custom("not-run", "f is not computed only to learn the shape of its output.", is_run),
    Types([Call(tall, TWO), Call(wide, FORTY)], says="The answer has the shape (outputs, inputs)."),
    Traces(
        [Call(box, TWO), Call(box, TWO + 1)], says="It is traced once for two calls of one shape."
    ),
]
