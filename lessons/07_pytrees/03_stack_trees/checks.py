"""Checks for stack-trees."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Types


def subject(module):
    """Return stack, with unstack as its attribute."""

    def stack(trees):
        return module.stack(trees)

    stack.unstack = getattr(module, "unstack", None)
    return stack


def of(*numbers):
    """Return an array of floats."""
    return np.array(numbers, np.float32)


def whole(*numbers):
    """Return an array of integers."""
    return np.array(numbers, np.int32)


EXAMPLES = [
    Call([{"a": of(1.0, 2.0)}, {"a": of(3.0, 4.0)}]).gives({"a": [[1.0, 2.0], [3.0, 4.0]]}),
    Call([(whole(1), whole(5)), (whole(2), whole(6))]).gives(([[1], [2]], [[5], [6]])),
]


def nests(rng, count):
    """Return trees of arrays of several shapes."""
    return [
        {
            "deep": [of(rng.normal()), {"x": rng.normal(size=(2, 3)).astype(np.float32)}],
            "n": whole(i)[0],
            "none": None,
        }
        for i in range(count)
    ]


def hidden(rng):
    """Yield scalars and tables in a nest, a list of one, and single arrays."""
    yield Call(nests(rng, 3)).when("a nest with scalars, tables and None")
    yield Call(nests(rng, 1)).when("a list of one tree")
    yield Call([of(1.0, 2.0), of(3.0, 4.0)]).when("trees that are single arrays")
    yield Call([(of(i), {"x": of(i, i)}) for i in range(4)]).when("tuples at the top")


def does_not_come_back(stack):
    """Return what is wrong after stacking and unstacking, or None."""
    if stack.unstack is None:
        return "`unstack` is not defined"
    rng = np.random.default_rng(0)
    for trees in (nests(rng, 2), nests(rng, 1), nests(rng, 3), [of(1.0, 2.0), of(3.0, 4.0)]):
        problem = wrong_list(stack, trees)
        if problem:
            return problem
    return None


def wrong_list(stack, trees):
    """Return how these trees differ after stacking and unstacking, or None."""
    plain = stack.unstack(stack([jax.tree.map(jnp.asarray, tree) for tree in trees]))
    if type(plain) is not list:
        return f"`unstack` returned a {type(plain).__name__}, expected a list"
    back = jax.jit(lambda trees: stack.unstack(stack(trees)))(trees)
    if len(back) != len(trees):
        return f"{len(trees)} trees went in, {len(back)} came back"
    if jax.tree.structure(back) != jax.tree.structure(trees):
        return f"the trees come back with another structure: {jax.tree.structure(back)}"
    for before, after in pairs(trees, back):
        if np.shape(before) != np.shape(after):
            return f"a leaf had the shape {np.shape(before)} and came back as {np.shape(after)}"
        if before.dtype != after.dtype:
            return f"a leaf had the dtype {before.dtype} and came back as {after.dtype}"
    if not all(np.array_equal(a, b) for a, b in pairs(trees, back)):
        return "`unstack` returns other numbers than were stacked"
    return None


def pairs(one, other):
    """Return the pairs of leaves of two trees."""
    return zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True)


def cannot_be_scanned(stack):
    """Return what is wrong when three layers are stacked and scanned, or None."""
    layers = [{"w": jnp.float32(w), "b": jnp.float32(1)} for w in (2, 3, 4)]
    out, _ = jax.lax.scan(lambda x, at: (at["w"] * x + at["b"], None), 1.0, stack(layers))
    return None if out == 41 else f"a scan along three layers gives {out}, expected 41.0"


PROPERTIES = [
    Types(
        [Call([(of(1.0), whole(2)), (of(3.0), whole(4))])],
        says="Each leaf keeps its dtype and gets a new first axis.",
    ),
    Custom("round-trip", "`unstack` returns the list that was stacked.", does_not_come_back),
    Custom("scan", "jax.lax.scan can scan along the stacked tree.", cannot_be_scanned),
]
