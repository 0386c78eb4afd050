# expects: check values
"""Makes the weights static: part of a key, and arrays are no keys."""

from dataclasses import dataclass, field

import jax


@jax.tree_util.register_dataclass
@dataclass
class Linear:
    w: jax.Array = field(metadata={"static": True})
    b: jax.Array
    name: str = field(metadata={"static": True})


@jax.jit
def predict(model, x):
    return model.w @ x + model.b
