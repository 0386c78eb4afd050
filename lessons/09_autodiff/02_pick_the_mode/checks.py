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
    """As many outputs as inputs."""
    yield Call(jnp.tanh, rng.normal(size=3).astype(np.float32))


def work(function, f, x):
    """Count the numbers that the equations of a program make."""
    jaxpr = jax.make_jaxpr(lambda x: function(f, x))(x)
    return sum(var.aval.size for equation in jaxpr.eqns for var in equation.outvars)


def too_much(jacobian):
    """Say for which shape the dearer way was taken."""
    for text, f, x in (("2 inputs and 40 outputs", tall, TWO), ("40 and 2", wide, FORTY)):
        least = min(work(lambda f, x, t=t: t(f)(x), f, x) for t in (jax.jacfwd, jax.jacrev))
        done = work(jacobian, f, x)
        if done > 3 * least:
            return f"with {text}, its program makes {done} numbers; {least} are enough"
    return None


def is_run(jacobian):
    """Say whether f is called with values, not only with tracers."""
    seen = []

    def f(x):
        seen.append(isinstance(x, jax.core.Tracer))
        return 2 * x

    jacobian(f, jnp.asarray(TWO))
    return None if all(seen) else "f was computed on x, once more than the Jacobian needs"


PROPERTIES = [
    Custom("work", "It goes the cheaper way: forwards for few inputs, else backwards.", too_much),
    Custom("not-run", "f is not computed only to learn the shape of its output.", is_run),
    Types([Call(tall, TWO), Call(wide, FORTY)], says="The answer has the shape (outputs, inputs)."),
    Traces([Call(box, TWO), Call(box, TWO + 1)], says="It is traced once for two calls."),
]
