# expects: check values
# says: The second call failed: a field that holds an array is static, so it became part of the
#     key of `jax.jit`. Arrays are data.
"""Makes the bias static."""

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
