# expects: check values
# says: Your answer does not depend on the tree that is passed in: the arrays of the object are used
#     in its place.
"""Merges the state of the beginning."""

from flax import nnx


def as_pure(model):
    graph, state = nnx.split(model)

    def apply(new, x):
        return nnx.merge(graph, state)(x)

    return state, apply
