# expects: check values
# says: Not all arrays come from the tree that is passed in. Batch norm has some that are not
#     parameters.
"""Splits the parameters off, and keeps the rest."""

import jax
from flax import nnx


def as_pure(model):
    graph, params, rest = nnx.split(model, nnx.Param, ...)

    def apply(params, x):
        return nnx.merge(graph, params, rest)(x)

    return params, apply
