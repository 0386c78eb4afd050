"""Keeps the parameters apart from the other arrays."""

from flax import nnx


def as_pure(model):
    graph, params, others = nnx.split(model, nnx.Param, ...)

    def apply(states, x):
        return nnx.merge(graph, *states)(x)

    return (params, others), apply
