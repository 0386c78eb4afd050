"""A model as a pure function."""

import jax
from flax import nnx


def as_pure(model):
    """Return the model's arrays as a tree, and apply(state, x)."""
    state = nnx.state(model)

    def apply(state, x):
        # TODO: this ignores the state.
        return model(x)

    return state, apply
