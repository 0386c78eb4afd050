# expects: check jit
# says: A `-1` inside a shape is not an open dimension here. JAX needs a symbolic dimension, which
#     has a name.
"""Writes -1 for the open size, as in `reshape`."""

import jax
import jax.numpy as jnp
from jax import export


def export_model(f, d):
    spec = jax.ShapeDtypeStruct((-1, d), jnp.float32)
    return export.export(jax.jit(f), platforms=("cpu", "cuda", "tpu"))(spec)
