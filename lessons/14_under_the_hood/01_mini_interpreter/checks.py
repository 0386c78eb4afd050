"""What mini-interpreter asks for."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import Primitive
from jax.interpreters import mlir

from jaxtutor.core.vocabulary import Call, Custom

JIT = False


def subject(module):
    """Interpret a function at once, and keep the way to interpret another."""

    def call(f, *args):
        # A literal among the outputs may come as a number: what counts is its value.
        return jax.tree.map(jnp.asarray, module.interpret(f)(*args))

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


def fixed(x):
    """Return a number that does not depend on the argument."""
    return x * 2, 1.0


def weighted(x, y):
    """Use two arguments, the second one first."""
    return y - 2 * x


EXAMPLES = [
    Call(twice_sine, np.array([0.0, 1.0], np.float32)).gives([0.0, 1.6829419]),
    Call(both, 3.0).gives((3.0, 4.0)),
]


def hidden(rng):
    """Constants, choices, loops, branches, what goes straight through, and two arguments."""
    x = np.array([0.5, -1.0, 2.0, 3.0], np.float32)
    yield Call(shifted, x).when("a function with an array from outside")
    yield Call(positive, x).when("a function with `jnp.where`")
    yield Call(rectified, x).when("a function with a derivative rule of its own")
    yield Call(running, x).when("a loop with two results")
    yield Call(branched, x).when("a branch")
    yield Call(untouched, x).when("an argument that goes straight through")
    yield Call(fixed, x).when("an output that is a literal")
    yield Call(weighted, x, x[::-1]).when("two arguments")


def count_bindings(interpret):
    """Return how often a primitive of our own is bound when a function of it is interpreted."""
    probe, bindings = Primitive("probe"), []
    probe.def_impl(lambda x: x + 1)
    probe.def_abstract_eval(lambda x: jax.core.ShapedArray(x.shape, x.dtype))
    mlir.register_lowering(probe, mlir.lower_fun(lambda x: x + 1, multiple_results=False))

    def bind(*args, **params):
        bindings.append(args)
        return Primitive.bind(probe, *args, **params)

    probe.bind = bind
    interpret(lambda x: probe.bind(x) * 2)(jnp.float32(1.0))
    return len(bindings)


def needs_the_walk(call):
    """Return whether f is run on numbers, or JAX itself runs its jaxpr."""
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
    if asked:
        return "jax.core.eval_jaxpr did the walk"
    if count_bindings(call.interpret) < 2:
        return "a primitive of f was bound while tracing f, and not again in a walk"
    return None


def other_shapes(call):
    """Return what happens when one interpreted function gets a second shape and dtype."""
    run = call.interpret(lambda x: x * x.size)
    run(jnp.ones(2))
    for x in (jnp.ones((2, 2)), jnp.arange(3)):
        found = run(x)
        if not np.array_equal(found, x * x.size) or found.dtype != x.dtype:
            return f"called before with shape (2,), for shape {x.shape} it returns {found}"
    return None


def does_not_compose(call):
    """Return under which transformation the interpreted function gives another answer."""
    run = call.interpret(lambda x: jax.nn.relu(jnp.sin(x)) * 2)
    sine, slope = np.sin(TABLE), np.cos(TABLE)
    pairs = {
        "jax.jit": (jax.jit(run)(TABLE), 2 * np.maximum(sine, 0)),
        "jax.vmap": (jax.jit(jax.vmap(run))(TABLE), 2 * np.maximum(sine, 0)),
        "jax.grad": (jax.jit(jax.vmap(jax.grad(run)))(TABLE), 2 * slope * (sine > 0)),
    }
    for name, (ours, theirs) in pairs.items():
        if not np.allclose(ours, theirs, atol=1e-5):
            return f"under {name} it returns {ours}, and the function itself {theirs}"
    return None


PROPERTIES = [
    Custom("walks", "It walks through the jaxpr, and does not run f itself.", needs_the_walk),
    Custom("other-shapes", "It can be called with other shapes and dtypes later.", other_shapes),
    Custom("composes", "It works under jax.jit, jax.grad and jax.vmap.", does_not_compose),
]
