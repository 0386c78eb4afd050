"""What shape-oracle asks for."""

import jax
import jax.numpy as jnp

from jaxtutor.core.vocabulary import Call, Custom

JIT = False


def subject(module):
    """Write each description as text; what is none is left as it is."""

    def call(f, *specs):
        return jax.tree.map(text_of, module.output_spec(f, *specs))

    call.output_spec = module.output_spec
    return call


def text_of(leaf):
    if isinstance(leaf, jax.ShapeDtypeStruct):
        return f"{leaf.dtype}[{','.join(map(str, leaf.shape))}]"
    return leaf


def sum_and_signs(x):
    return x.sum(), x > 0


BIG = jax.ShapeDtypeStruct((1_000_000, 1_000_000), jnp.float32)
HALF = jax.ShapeDtypeStruct((1_000_000,), jnp.bfloat16)

EXAMPLES = [
    Call(jnp.matmul, BIG, BIG).gives("float32[1000000,1000000]"),
    Call(sum_and_signs, BIG).gives(("float32[]", "bool[1000000,1000000]")),
]


def layer(params, x):
    """A tree of descriptions in, one array out."""
    return jnp.tanh(x @ params["w"] + params["b"])


def summary(x):
    """One array in, a tree out."""
    return {"place": jnp.argmax(x), "ends": [x[:3], None, x[-1]]}


def hidden(rng):
    """Trees on both sides, and a function that looks at a shape."""
    yield Call(layer, {"w": BIG, "b": HALF}, HALF)
    yield Call(summary, HALF)
    yield Call(lambda x: x[None] if x.ndim == 1 else x.T, HALF)


def traces_or_computes(call):
    """Say how often f was called, and with what."""
    seen = []

    def f(x):
        seen.append(isinstance(x, jax.core.Tracer))
        return x * 2

    call.output_spec(f, jax.ShapeDtypeStruct((3,), jnp.float32))
    if not all(seen):
        return "f was computed, with numbers in its argument"
    return None if len(seen) == 1 else f"f was called {len(seen)} times"


PROPERTIES = [
    Custom("traced-once", "f is traced once, and never computed.", traces_or_computes),
]
