"""A class of your own as a tree: a linear model with a name."""

from dataclasses import dataclass, field

import jax


@jax.tree_util.register_dataclass
@dataclass
class Linear:
    """A linear model."""

    w: jax.Array
    b: jax.Array
    # A string cannot be traced: it belongs to the structure.
    name: str = field(metadata={"static": True})


@jax.jit
def predict(model, x):
    """Return the model's answer for x."""
    return model.w @ x + model.b
