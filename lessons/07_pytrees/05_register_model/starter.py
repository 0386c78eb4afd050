"""A class of your own as a tree: a linear model with a name."""

from dataclasses import dataclass, field

import jax


@dataclass
class Linear:
    """A linear model."""

    # TODO: JAX does not know this class, nor which of its fields are arrays.
    w: jax.Array
    b: jax.Array
    name: str


@jax.jit
def predict(model, x):
    """Return the model's answer for x."""
    return model.w @ x + model.b
