# expects: check jit
# says: A text inside a shape is not a dimension. JAX has a function that turns a text into a
#     shape.
"""Uses the text itself as a dimension."""

import jax
import jax.numpy as jnp
from jax import export


def export_model(f, d):
    spec = jax.ShapeDtypeStruct(("n", d), jnp.float32)
    return export.export(jax.jit(f), platforms=("cpu", "cuda", "tpu"))(spec)
