"""What list-primitives asks for."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from jaxtutor.core.vocabulary import Call, Custom

JIT = False

PAIR = np.array([20.0, 200.0], np.float32)


def ripple(x):
    """Have a flat jaxpr."""
    return jnp.sin(x) * jnp.exp(-x)


def heat(oven):
    """Have one level below the outer one."""
    return jnp.where(oven < 180.0, oven + 5.0, oven)


def nothing(x):
    """Have no equation."""
    return x


def two_branches(x):
    """Hold two jaxprs in a tuple."""
    return lax.cond(x[0] > 0, jnp.sin, jnp.cos, x)


def two_loops(x):
    """Hold one jaxpr, and two under other names."""
    _, sums = lax.scan(lambda carry, step: (carry + step, jnp.tanh(carry)), 0.0, x)
    return lax.while_loop(lambda v: jnp.max(v) < 3, lambda v: v + jnp.log1p(v), sums)


@jax.jit
def deep(x):
    """Hold a rule and a checkpoint within branches within a loop, all compiled."""
    soft = jax.checkpoint(lambda v: jax.nn.relu(jnp.expm1(v)))
    return lax.fori_loop(0, 2, lambda i, v: lax.switch(i, [soft, jnp.cos, jnp.floor], v), x)


def added(x, y):
    """Take two arguments."""
    return jnp.floor(x) + y


EXAMPLES = [
    Call(ripple, PAIR).gives(["exp", "mul", "neg", "sin"]),
    Call(heat, PAIR).gives(["add", "jit", "lt", "select_n"]),
]


def hidden(rng):
    """Jaxprs that hold others in every way."""
    for function in (nothing, two_branches, two_loops, deep):
        yield Call(function, PAIR)
    yield Call(added, PAIR, np.arange(2))


def runs_on_values(primitive_names):
    """Say so when the function is called with anything but tracers."""
    seen = []

    def probe(x):
        seen.append(isinstance(x, jax.core.Tracer))
        return jnp.sin(x)

    primitive_names(probe, np.ones(3, np.float32))
    return None if all(seen) else "f was called with a real array, and its Python ran for it"


PROPERTIES = [Custom("traced-only", "f is traced, and never run on real arrays.", runs_on_values)]
