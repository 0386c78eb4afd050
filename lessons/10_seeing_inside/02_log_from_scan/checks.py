"""What log-from-scan asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, SameSize

JIT = False


def subject(module):
    """Compile run with a new list; return the sum, and what the list holds then."""

    def call(xs):
        sink = []
        total = jax.jit(lambda xs: module.run(xs, sink))(xs)
        jax.effects_barrier()
        return total, jnp.asarray(sink)

    call.run = module.run
    return call


EXAMPLES = [
    Call(np.array([3.0, -1.0, 2.0], np.float32)).gives((4.0, [3.0, 2.0, 4.0])),
    Call(np.array([0.5, 0.5], np.float32)).gives((1.0, [0.5, 1.0])),
]


def hidden(rng):
    """A longer vector, and a single number."""
    yield Call(np.array([-1.5], np.float32)).when("a single number")
    yield Call(rng.integers(-9, 9, size=20).astype(np.float32))


def notes_once(call):
    """Report what sink holds after two calls, unless both appended."""
    sink = []
    compiled = jax.jit(lambda xs: call.run(xs, sink))
    for xs in (jnp.array([1.0, 2.0]), jnp.array([4.0, 4.0])):
        compiled(xs).block_until_ready()
        jax.effects_barrier()
    noted = [float(value) for value in sink]
    return None if noted == [1.0, 3.0, 4.0, 8.0] else f"after two calls, sink is {noted}"


def equations(jaxpr):
    for equation in jaxpr.eqns:
        yield equation
        inner = equation.params.get("jaxpr")
        if inner is not None:
            yield from equations(getattr(inner, "jaxpr", inner))


def is_unordered(call):
    """Report a loop with a callback that may be called in any order."""
    jaxpr = jax.make_jaxpr(lambda xs: call.run(xs, []))(jnp.ones(3)).jaxpr
    kinds = {
        type(effect).__name__
        for equation in equations(jaxpr)
        if equation.primitive.name in ("scan", "while")
        for effect in equation.effects
    }
    if kinds & {"DebugEffect", "IOEffect"}:
        return "the callback in the loop may be called in any order"
    return None


PROPERTIES = [
    Custom("each-call", "A second call appends its partial sums too.", notes_once),
    Custom("order", "The partial sums are sure to be in the order of the loop.", is_unordered),
    SameSize(
        [Call(np.ones(3, np.float32)), Call(np.ones(300, np.float32))],
        says="300 numbers take no more equations than 3.",
    ),
]
