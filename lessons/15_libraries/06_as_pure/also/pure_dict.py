"""Uses plain dicts in place of the state."""

import jax
from flax import nnx


def as_pure(model):
    graph, state = nnx.split(model)

    def apply(arrays, x):
        full = jax.tree.unflatten(jax.tree.structure(state), arrays)
        return nnx.merge(graph, full)(x)

    return jax.tree.leaves(state), apply
