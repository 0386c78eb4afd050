"""What shape-oracle asks for."""

import jax
import jax.numpy as jnp

from jaxtutor.core.vocabulary import Call, Custom

JIT = False


def subject(module):
    """Write each description as text; any other leaf is named by its class."""

    def call(f, *specs):
        return jax.tree.map(text_of, module.output_spec(f, *specs))

    call.output_spec = module.output_spec
    return call


def text_of(leaf):
    if isinstance(leaf, jax.ShapeDtypeStruct):
        return f"{leaf.dtype}[{','.join(map(str, leaf.shape))}]"
    return f"{type(leaf).__name__}, not ShapeDtypeStruct"


def sum_and_signs(x):
    return x.sum(), x > 0


BIG = jax.ShapeDtypeStruct((1_000_000, 1_000_000), jnp.float32)
HALF = jax.ShapeDtypeStruct((1_000_000,), jnp.bfloat16)

EXAMPLES = [
    Call(jnp.matmul, BIG, BIG).gives("float32[1000000,1000000]"),
    Call(sum_and_signs, BIG).gives(("float32[]", "bool[1000000,1000000]")),
]


def layer(params, x):
    """Take a tree, and return one array."""
    return jnp.tanh(x @ params["w"] + params["b"])


def summary(x):
    """Take one array, and return a tree."""
    return {"place": jnp.argmax(x), "ends": [x[:3], None, x[-1]]}


def hidden(rng):
    """Trees on both sides, a function that looks at a shape, and one without arguments."""
    yield Call(layer, {"w": BIG, "b": HALF}, HALF).when("a tree of descriptions")
    yield Call(summary, HALF).when("a tree as the answer")
    yield Call(lambda x: x[None] if x.ndim == 1 else x.T, HALF)
    yield Call(lambda: jnp.zeros((3, 2), jnp.int32)).when("a function without arguments")


def traces_or_computes(call):
    """Report that f is called with numbers, or not exactly once."""
    seen = []

    def f(x):
        seen.append(isinstance(x, jax.core.Tracer))
        return x * 2

    call.output_spec(f, jax.ShapeDtypeStruct((3,), jnp.float32))
    if not all(seen):
        return "f is computed, with numbers in its argument"
    return None if len(seen) == 1 else f"f is called {len(seen)} times"


PROPERTIES = [
    Custom("traced-once", "f is traced once, and never computed.", traces_or_computes),
]
