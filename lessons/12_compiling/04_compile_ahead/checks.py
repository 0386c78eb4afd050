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
    """Return the numbers in reverse order, which takes no arithmetic."""
    return x[::-1]


def scaled(tree, x):
    """Take a tree, and numbers that are not floats."""
    return {"out": tree["scale"] * x}


def shapes(tree):
    """Return a ShapeDtypeStruct for each array."""
    return jax.tree.map(lambda leaf: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype), tree)


def subject(module):
    """Compile for the arguments, and call with them."""

    def call(f, *args):
        compiled, flops = in_two(module.compile_for(f, tuple(shapes(args))))
        return compiled(*args), flops

    call.compile_for = lambda f, spec: in_two(module.compile_for(f, spec))
    return call


def in_two(answer):
    """Return the program and its flops; raise TypeError where the answer is not that pair."""
    if isinstance(answer, tuple | list) and len(answer) == 2 and not callable(answer[1]):
        return answer
    kinds = [type(it).__name__ for it in answer] if isinstance(answer, tuple | list) else answer
    raise TypeError(f"compile_for returns (compiled, flops), in this order; got {kinds}")


EYE = np.eye(4, dtype=np.float32)

EXAMPLES = [
    Call(matmul, EYE, EYE).gives((np.eye(4), 128.0)),
    Call(flip, np.array([1.0, 2.0, 3.0], np.float32)).gives(([3.0, 2.0, 1.0], 0.0)),
]


def hidden(rng):
    """Other shapes and dtypes, and a tree for an argument."""
    yield Call(matmul, rng.normal(size=(2, 3)).astype(np.float32), np.ones((3, 5), np.float32))
    tree = {"scale": np.full(2, 2.0, np.float32)}
    yield Call(scaled, tree, np.arange(2, dtype=np.int32)).when("a dict and an array of int32")
    yield Call(flip, np.arange(3, dtype=np.int32)).when("a program without flops")


VECTOR = jax.ShapeDtypeStruct((3,), jnp.float32)


def traces_late(call):
    """Return how often f was traced before a call and at it, if not once and never."""
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
    """Return which other arguments a program for three float32 accepts."""
    compiled, _ = call.compile_for(lambda x: x + 1, (VECTOR,))
    for x in (np.ones(4, np.float32), np.ones(3, np.int32)):
        try:
            compiled(x)
        except TypeError:
            continue
        return f"compiled for three float32, it accepted {x.dtype}[{x.size}]"
    return None


PROPERTIES = [
    Custom("ahead", "f is traced once, and not at the call.", traces_late),
    Custom("one-shape", "It refuses arguments of another shape or dtype.", takes_another_shape),
]
