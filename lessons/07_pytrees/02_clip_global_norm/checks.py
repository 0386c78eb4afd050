"""Checks for clip-global-norm."""

import jax
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Finite, Traces, Untouched

TREE = {"w": np.array([3.0, 0.0], np.float32), "b": np.array(4.0, np.float32)}
ZEROS = {"w": np.zeros(2, np.float32), "b": np.array(0.0, np.float32)}

EXAMPLES = [
    Call(TREE, 1.0).gives({"w": [0.6, 0.0], "b": 0.8}),
    Call(TREE, 10.0).gives({"w": [3.0, 0.0], "b": 4.0}),
]


def hidden(rng):
    """Yield deeper trees above and below the limit, a single array and zeros."""

    def nest():
        shapes = ((2, 3), (4,), ())
        return [{"x": (rng.normal(size=shape).astype(np.float32),)} for shape in shapes]

    yield Call(nest(), 0.5)
    yield Call(nest(), 100.0).when("a norm below the limit")
    yield Call(rng.normal(size=4).astype(np.float32), 0.25).when("a single array for a tree")
    yield Call(ZEROS, 1.0).when("a tree of zeros")
    yield Call(TREE, 5.0).when("a norm equal to the limit")


def changed_below(clip):
    """Return which short tree did not come back unchanged, or None."""
    rng = np.random.default_rng(7)
    run = jax.jit(clip)
    for _ in range(20):
        tree = {"w": rng.normal(size=2).astype(np.float32), "b": np.float32(rng.normal())}
        after = run(tree, 50.0)
        if any(not np.array_equal(tree[name], after[name]) for name in tree):
            numbers = [[float(x) for x in np.ravel(tree[name])] for name in ("w", "b")]
            return f"w={numbers[0]}, b={numbers[1]} have a norm below 50.0, but changed"
    return None


def wrong_when_tiny(clip):
    """Return the norm of a tiny tree after clipping to a tiny limit, if it is wrong."""
    tiny = {"w": np.array([3e-6, 0.0], np.float32), "b": np.array(4e-6, np.float32)}
    after = jax.jit(clip)([tiny], 1e-6)
    norm = np.sqrt(sum(np.sum(np.square(leaf)) for leaf in jax.tree.leaves(after)))
    if not abs(norm / 1e-6 - 1) < 0.01:
        return f"a norm of 5e-06 was clipped to {norm:.2g}, not to 1e-06"
    return None


PROPERTIES = [
    Finite([Call(ZEROS, 1.0)], says="A tree of zeros gives no NaN."),
    Custom(
        "as-it-was",
        "A tree with a small norm comes back unchanged, to the last bit.",
        changed_below,
    ),
    Custom("tiny-norm", "A tiny norm is clipped to a tiny limit exactly.", wrong_when_tiny),
    Traces(
        [Call(TREE, limit) for limit in (0.5, 1.0, 10.0)],
        says="It is traced once for different limits.",
    ),
    Untouched([Call(TREE, 1.0)], says="The tree that came in stays as it is."),
]
