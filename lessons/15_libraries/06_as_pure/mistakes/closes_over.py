# expects: check values
# says: Your answer does not depend on the tree that is passed in: the arrays of the object are used
#     in its place.
"""Calls the object from outside."""

from flax import nnx


def as_pure(model):
    return nnx.state(model), lambda state, x: model(x)
