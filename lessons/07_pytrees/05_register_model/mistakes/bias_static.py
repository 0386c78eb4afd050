# expects: check values
"""Leaves the bias out of the data."""

from dataclasses import dataclass, field

import jax


@jax.tree_util.register_dataclass
@dataclass
class Linear:
    w: jax.Array
    b: jax.Array = field(metadata={"static": True})
    name: str = field(metadata={"static": True})


@jax.jit
def predict(model, x):
    return model.w @ x + model.b
