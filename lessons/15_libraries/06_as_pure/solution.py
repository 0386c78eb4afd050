"""A model as a pure function."""

import jax
from flax import nnx


def as_pure(model):
    """Return the model's arrays as a tree, and apply(state, x)."""
    graph, state = nnx.split(model)

    def apply(state, x):
        # A new object in every call: what it holds may be traced, and is forgotten here.
        return nnx.merge(graph, state)(x)

    return state, apply
