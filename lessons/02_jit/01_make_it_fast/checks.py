"""What make-it-fast requires."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import Primitive
from jax.interpreters import mlir

from jaxtutor.core.vocabulary import Call, Custom, Traces

JIT = False


def spread(x):
    """Serve as the function that the learner compiles."""
    return x - x.mean()


def subject(module):
    """Compile once, as a user would; all calls go to the one compiled function."""
    compiled = module.compile_once(spread)
    if not callable(compiled):
        return compiled

    def call(x):
        return compiled(x)

    call.compile_once = module.compile_once
    return call


EXAMPLES = [
    Call(np.array([1.0, 2.0, 6.0], np.float32)).gives([-2.0, -1.0, 3.0]),
    Call(np.array([5.0, 5.0, 5.0], np.float32)).gives([0.0, 0.0, 0.0]),
]


def hidden(rng):
    """A table, and a row of a shape that is known already."""
    yield Call(rng.normal(size=(2, 3)).astype(np.float32)).when("another shape")
    yield Call(rng.normal(size=3).astype(np.float32))


def arrays_of(*sizes):
    """Return calls with rows of these sizes, which no example has."""
    return [
        Call(np.linspace(0, index + 1, size, dtype=np.float32)) for index, size in enumerate(sizes)
    ]


EAGER = []


def _run_at_once(x):
    EAGER.append(x)
    return x


operation = Primitive("probe")
operation.def_impl(_run_at_once)
operation.def_abstract_eval(lambda aval: aval)
mlir.register_lowering(operation, mlir.lower_fun(lambda x: x * 1, multiple_results=False))


def runs_one_by_one(call):
    """Say so if an operation of f is run by itself and not as part of a program."""
    EAGER.clear()
    compiled = call.compile_once(lambda x: operation.bind(x))
    jax.block_until_ready([compiled(jnp.full(9, float(k))) for k in range(2)])
    return "an operation of f was run by itself, outside a compiled program" if EAGER else None


PROPERTIES = [
    Traces(
        arrays_of(6, 6, 6, 6, 6),
        probes=("spread",),
        says="Five calls with arrays of one shape trace f once.",
    ),
    Traces(
        arrays_of(8, 6, 8, 6, 8),
        probes=("spread",),
        name="traces-per-shape",
        says="An array of another shape traces f once more, and then both shapes are known.",
    ),
    Custom("compiled", "A call runs one compiled program.", runs_one_by_one),
]
