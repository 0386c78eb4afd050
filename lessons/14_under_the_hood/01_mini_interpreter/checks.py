"""What mini-interpreter asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom

JIT = False


def subject(module):
    """Interpret a function at once, and keep the way to interpret another."""

    def call(f, *args):
        return module.interpret(f)(*args)

    call.interpret = module.interpret
    return call


TABLE = np.array([1.0, 2.0, 3.0, 4.0], np.float32)


def twice_sine(x):
    """Return twice the sine."""
    return jnp.sin(x) * 2


def both(x):
    """Return the number and the next."""
    return x, x + 1


def shifted(x):
    """Use an array from outside."""
    return x + jnp.asarray(TABLE)


def positive(x):
    """Use a choice."""
    return jnp.where(x > 1, x, 0.0)


def rectified(x):
    """Use a function with a rule of its own."""
    return jax.nn.relu(x - 1)


def running(x):
    """Use a loop with two results."""
    return jax.lax.scan(lambda total, v: (total + v, total * v), 0.0, x)


def branched(x):
    """Use a branch."""
    return jax.lax.cond(x[0] > 0, lambda x: x, lambda x: -x, x)


def untouched(x):
    """Return the argument twice."""
    return x, x


EXAMPLES = [
    Call(twice_sine, np.array([0.0, 1.0], np.float32)).gives([0.0, 1.6829419]),
    Call(both, 3.0).gives((3.0, 4.0)),
]


def hidden(rng):
    """Constants, choices, loops, branches, and what goes straight through."""
    x = np.array([0.5, -1.0, 2.0, 3.0], np.float32)
    for f in (shifted, positive, rectified, running, branched, untouched):
        yield Call(f, x)


def needs_the_walk(call):
    """Say whether f was run on numbers, or JAX's own interpreter was asked."""
    seen = []

    def spy(x):
        seen.append(isinstance(x, jax.core.Tracer))
        return x * 2

    call.interpret(spy)(jnp.float32(1.0))
    if not seen:
        return "f was never traced"
    if not all(seen):
        return "f was called on numbers; its jaxpr is what should be run"
    original, asked = jax.core.eval_jaxpr, []

    def noting(*args, **kwargs):
        asked.append(True)
        return original(*args, **kwargs)

    jax.core.eval_jaxpr = noting
    try:
        call.interpret(twice_sine)(jnp.float32(1.0))
    finally:
        jax.core.eval_jaxpr = original
    return "jax.core.eval_jaxpr did the walk" if asked else None


def does_not_compose(call):
    """Say under which transformation the interpreted function gives another answer."""
    run = call.interpret(lambda x: jax.nn.relu(jnp.sin(x)) * 2)
    sine, slope = np.sin(TABLE), np.cos(TABLE)
    pairs = {
        "jax.jit": (jax.jit(run)(TABLE), 2 * np.maximum(sine, 0)),
        "jax.vmap": (jax.jit(jax.vmap(run))(TABLE), 2 * np.maximum(sine, 0)),
        "jax.grad": (jax.jit(jax.vmap(jax.grad(run)))(TABLE), 2 * slope * (sine > 0)),
    }
    for name, (ours, theirs) in pairs.items():
        if not np.allclose(ours, theirs, atol=1e-5):
            return f"under {name} it gives {ours}, and the function itself {theirs}"
    return None


PROPERTIES = [
    Custom("walks", "It walks through the jaxpr, and does not run f itself.", needs_the_walk),
    Custom("composes", "It works under jax.jit, jax.grad and jax.vmap.", does_not_compose),
]
