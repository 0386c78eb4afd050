# expects: check arrays-only
# says: The first result holds the arrays twice. What is stacked and saved is the state, once.
"""Keeps a second copy in the state."""

import jax
from flax import nnx


def as_pure(model):
    graph, state = nnx.split(model)

    def apply(pair, x):
        return nnx.merge(graph, pair[0])(x)

    return (state, jax.tree.map(lambda leaf: leaf, state)), apply
