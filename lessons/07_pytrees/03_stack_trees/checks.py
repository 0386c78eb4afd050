"""What stack-trees asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Types


def subject(module):
    """Call stack; unstack stays at hand."""

    def stack(trees):
        return module.stack(trees)

    stack.unstack = getattr(module, "unstack", None)
    return stack


def of(*numbers):
    """Make an array of floats."""
    return np.array(numbers, np.float32)


def whole(*numbers):
    """Make an array of integers."""
    return np.array(numbers, np.int32)


EXAMPLES = [
    Call([{"a": of(1.0, 2.0)}, {"a": of(3.0, 4.0)}]).gives({"a": [[1.0, 2.0], [3.0, 4.0]]}),
    Call([(whole(1), whole(5)), (whole(2), whole(6))]).gives(([[1], [2]], [[5], [6]])),
]


def nests(rng, count):
    """Make trees of arrays of several shapes."""
    return [
        {
            "deep": [of(rng.normal()), {"x": rng.normal(size=(2, 3)).astype(np.float32)}],
            "n": whole(i)[0],
            "none": None,
        }
        for i in range(count)
    ]


def hidden(rng):
    """Scalars and tables in a nest, and a list of one."""
    yield Call(nests(rng, 3))
    yield Call(nests(rng, 1))


def does_not_come_back(stack):
    """Say what is wrong after stacking and taking apart."""
    if stack.unstack is None:
        return "`unstack` is not there"
    trees = nests(np.random.default_rng(0), 2)
    back = jax.jit(lambda trees: stack.unstack(stack(trees)))(trees)
    if jax.tree.structure(back) != jax.tree.structure(trees):
        return f"two trees come back in another structure: {jax.tree.structure(back)}"
    shapes = [(np.shape(a), np.shape(b)) for a, b in pairs(trees, back)]
    odd = next((pair for pair in shapes if pair[0] != pair[1]), None)
    if odd:
        return f"a leaf had the shape {odd[0]} and came back as {odd[1]}"
    if not all(np.array_equal(a, b) for a, b in pairs(trees, back)):
        return "unstack gives other numbers than were stacked"
    return None


def pairs(one, other):
    """Pair the leaves of two trees."""
    return zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True)


def cannot_be_scanned(stack):
    """Say what is wrong when three layers are stacked and walked along."""
    layers = [{"w": jnp.float32(w), "b": jnp.float32(1)} for w in (2, 3, 4)]
    out, _ = jax.lax.scan(lambda x, at: (at["w"] * x + at["b"], None), 1.0, stack(layers))
    return None if out == 41 else f"a scan along three layers gives {out} for 41.0"


PROPERTIES = [
    Types(
        [Call([(of(1.0), whole(2)), (of(3.0), whole(4))])],
        says="Each leaf keeps its dtype, and gets one axis more.",
    ),
    Custom("round-trip", "unstack gives back what was stacked.", does_not_come_back),
    Custom("scan", "jax.lax.scan can walk along the stacked tree.", cannot_be_scanned),
]
