"""What list-primitives requires."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jaxtutor.core.vocabulary import Call, Custom

JIT = False

PAIR = np.array([20.0, 200.0], np.float32)


def ripple(x):
    """Trace to a flat jaxpr."""
    return jnp.sin(x) * jnp.exp(-x)


def heat(oven):
    """Trace to a jaxpr with another inside."""
    return jnp.where(oven < 180.0, oven + 5.0, oven)


def nothing(x):
    """Trace to a jaxpr without equations."""
    return x


def two_branches(x):
    """Trace to an equation with two jaxprs in a tuple."""
    return lax.cond(x[0] > 0, jnp.sin, jnp.cos, x)


def two_loops(x):
    """Trace to a scan and a while, which use different keys."""
    _, sums = lax.scan(lambda carry, step: (carry + step, jnp.tanh(carry)), 0.0, x)
    return lax.while_loop(lambda v: jnp.max(v) < 3, lambda v: v + jnp.log1p(v), sums)


@jax.jit
def deep(x):
    """Trace to a custom rule and a checkpoint, inside branches, inside a loop, all compiled."""
    soft = jax.checkpoint(lambda v: jax.nn.relu(jnp.expm1(v)))
    return lax.fori_loop(0, 2, lambda i, v: lax.switch(i, [soft, jnp.cos, jnp.floor], v), x)


def added(x, y):
    """Take two arguments."""
    return jnp.floor(x) + y


def solved(x):
    """Trace to an equation whose jaxprs are in a named tuple, under a rare key."""
    return lax.custom_linear_solve(lambda v: 2 * v, x, lambda _, b: b / 2, symmetric=True)


def printed(x):
    """Trace to an equation without a result."""
    jax.debug.print("{}", x)
    return jnp.sin(x)


EXAMPLES = [
    Call(ripple, PAIR).gives(["exp", "mul", "neg", "sin"]),
    Call(heat, PAIR).gives(["add", "jit", "lt", "select_n"]).when("a jaxpr one level down"),
]


REASONS = {
    nothing: "no equations at all",
    two_branches: "branches in a tuple",
    two_loops: "loops, whose jaxprs have other keys",
    deep: "jaxprs many levels deep",
    solved: "jaxprs under a key that few know",
    printed: "an operation without a result",
}


def hidden(rng):
    """Jaxprs that hold others in every way."""
    for function, reason in REASONS.items():
        yield Call(function, PAIR).when(reason)
    yield Call(added, PAIR, np.arange(2)).when("two arguments")


def runs_on_values(primitive_names):
    """Say so if the function is called with anything but tracers."""
    seen = []

    def probe(x):
        seen.append(isinstance(x, jax.core.Tracer))
        return jnp.sin(x)

    primitive_names(probe, np.ones(3, np.float32))
    return None if all(seen) else "f was called with a real array, and its Python ran for it"


PROPERTIES = [Custom("traced-only", "f is traced, and never run on real arrays.", runs_on_values)]
