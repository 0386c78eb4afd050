# expects: check jacobian
# says: Your values are right, but the constructor converts its arguments, and JAX also builds
#     instances whose fields are not arrays.
"""Converts in the constructor, which JAX also calls with other objects."""

from dataclasses import dataclass, field

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclass
class Linear:
    w: jax.Array
    b: jax.Array
    name: str = field(metadata={"static": True})

    def __post_init__(self):
        self.w = jnp.asarray(self.w, jnp.float32)
        self.b = jnp.asarray(self.b, jnp.float32)


@jax.jit
def predict(model, x):
    return model.w @ x + model.b
