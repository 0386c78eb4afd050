"""What compile-ahead asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom

JIT = False


def matmul(a, b):
    """Return the product of two matrices."""
    return a @ b


def flip(x):
    """Only move numbers about."""
    return x[::-1]


def scaled(tree, x):
    """Take a tree, and numbers that are no floats."""
    return {"out": tree["scale"] * x}


def shapes(tree):
    """Say of each array what shape and dtype it has."""
    return jax.tree.map(lambda leaf: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype), tree)


def subject(module):
    """Compile for the arguments, and call with them."""

    def call(f, *args):
        compiled, flops = module.compile_for(f, tuple(shapes(args)))
        return compiled(*args), flops

    call.compile_for = module.compile_for
    return call


EYE = np.eye(4, dtype=np.float32)

EXAMPLES = [
    Call(matmul, EYE, EYE).gives((np.eye(4), 128.0)),
    Call(flip, np.array([1.0, 2.0, 3.0], np.float32)).gives(([3.0, 2.0, 1.0], 0.0)),
]


def hidden(rng):
    """Other shapes and dtypes, and a tree for an argument."""
    yield Call(matmul, rng.normal(size=(2, 3)).astype(np.float32), np.ones((3, 5), np.float32))
    yield Call(scaled, {"scale": np.float32(2) * np.ones(2, np.float32)}, np.arange(2))


VECTOR = jax.ShapeDtypeStruct((3,), jnp.float32)


def traces_late(call):
    """Say when f was traced: how often before, and how often at a call."""
    runs = []

    def probe(x):
        runs.append(x.shape)
        return x + 1

    compiled, _ = call.compile_for(probe, (VECTOR,))
    before = len(runs)
    compiled(np.ones(3, np.float32))
    if before != 1 or len(runs) != 1:
        return f"f was traced {before} times before the call, and {len(runs) - before} at the call"
    return None


def takes_another_shape(call):
    """Say that a program for three numbers took four."""
    compiled, _ = call.compile_for(lambda x: x + 1, (VECTOR,))
    try:
        compiled(np.ones(4, np.float32))
    except TypeError:
        return None
    return "compiled for three numbers, it took four"


PROPERTIES = [
    Custom("ahead", "f is traced once, and not at the call.", traces_late),
    Custom("one-shape", "It refuses arguments of another shape.", takes_another_shape),
]
