"""What clip-global-norm asks for."""

import jax
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Finite, Traces

TREE = {"w": np.array([3.0, 0.0], np.float32), "b": np.array(4.0, np.float32)}
ZEROS = {"w": np.zeros(2, np.float32), "b": np.array(0.0, np.float32)}

EXAMPLES = [
    Call(TREE, 1.0).gives({"w": [0.6, 0.0], "b": 0.8}),
    Call(TREE, 10.0).gives({"w": [3.0, 0.0], "b": 4.0}),
]


def hidden(rng):
    """Deeper trees, above the limit and below, a single array, and zeros."""

    def nest():
        shapes = ((2, 3), (4,), ())
        return [{"x": (rng.normal(size=shape).astype(np.float32),)} for shape in shapes]

    yield Call(nest(), 0.5)
    yield Call(nest(), 100.0)
    yield Call(rng.normal(size=4).astype(np.float32), 0.25)
    yield Call(ZEROS, 1.0)


def changed_below(clip):
    """Say which short tree did not come back as it was."""
    rng = np.random.default_rng(7)
    run = jax.jit(clip)
    for _ in range(20):
        tree = {"w": rng.normal(size=2).astype(np.float32), "b": np.float32(rng.normal())}
        after = run(tree, 50.0)
        if any(not np.array_equal(tree[name], after[name]) for name in tree):
            return f"{tree} is shorter than 50.0, and became {after}"
    return None


PROPERTIES = [
    Finite([Call(ZEROS, 1.0)], says="A tree of zeros gives no NaN."),
    Custom("as-it-was", "What is short enough comes back to the last bit.", changed_below),
    Traces(
        [Call(TREE, limit) for limit in (0.5, 1.0, 10.0)],
        says="Three limits trace it once.",
    ),
]
