# expects: check width
# says: Your program takes rows of any width. The `d` in the text is a name, an open dimension,
#     whatever your variable `d` is.
"""Leaves the width open too."""

import jax
import jax.numpy as jnp
from jax import export


def export_model(f, d):
    spec = jax.ShapeDtypeStruct(export.symbolic_shape("n, d"), jnp.float32)
    return export.export(jax.jit(f), platforms=("cpu", "cuda", "tpu"))(spec)
