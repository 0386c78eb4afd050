"""What one-trace-per-dtype requires."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Types

JIT = False


def braking(speed):
    """Serve as the function that the learner compiles."""
    return speed * speed / 16


def subject(module):
    """Compile once, and keep `stable` for counting traces."""
    compiled = module.stable(braking)

    def g(x):
        return compiled(x)

    g.stable = module.stable
    return g


EXAMPLES = [Call(8).gives(4.0), Call(2.0).gives(0.25)]


def hidden(rng):
    """Other kinds of numbers, and a fraction."""
    yield Call(np.float32(-3.0))
    yield Call(np.int32(7))
    yield Call(2.5).when("a fraction")
    yield Call(np.array(rng.normal(), np.float32))


KINDS = (
    lambda: 1,
    lambda: 2.0,
    lambda: True,
    lambda: np.float32(3),
    lambda: np.float64(5),
    lambda: np.int32(6),
    lambda: jnp.float32(4),
    lambda: jnp.int32(7),
    lambda: jnp.bfloat16(8),
    lambda: jnp.asarray(9.0),
)


def traced_again(g):
    """Return how often f was run for numbers of many kinds."""
    types = []

    def probe(x):
        types.append(str(jax.typeof(x)))
        return x * 2

    fresh = g.stable(probe)
    for make in KINDS:
        fresh(make())
    if len(types) > 1 and set(types) == {"float32[]"}:
        return (
            f"f was traced {len(types)} times, each time for float32[]: the function that you"
            " compile still receives numbers of many kinds"
        )
    if len(types) != 1:
        return (
            f"for ten numbers of ten kinds f was traced {len(types)} times: for {', '.join(types)}"
        )
    return None


def fails_inside(g):
    """Return what is wrong when another compiled function calls g."""
    answer = jax.jit(lambda x: g(x) + 1)(np.float32(4))
    return None if answer == 2 else f"inside another compiled function g(4.0) + 1 is {answer}"


def other_type_inside(g):
    """Return what f receives when another compiled function calls g, if it is not a float32."""
    types = []
    fresh = g.stable(lambda x: types.append(str(jax.typeof(x))) or x * 2)
    for make in KINDS:
        jax.jit(lambda x: fresh(x))(make())
    wrong = [name for name in types if name != "float32[]"]
    return f"inside another compiled function f receives {wrong[0]}" if wrong else None


PROPERTIES = [
    Custom("one-trace", "Numbers of all kinds trace f once.", traced_again),
    Custom("inside", "It works inside another compiled function.", fails_inside),
    Types(
        [Call(8), Call(2.0), Call(np.float32(3))],
        says="f receives a float32 that is not weak, so its answer is one.",
    ),
    Custom(
        "inside-types",
        "Inside another compiled function, f receives a float32 that is not weak, too.",
        other_type_inside,
    ),
]
