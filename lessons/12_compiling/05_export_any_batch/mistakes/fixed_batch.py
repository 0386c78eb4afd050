# expects: check jit
# says: Your program is for one size of batch. A size that is to vary needs a symbolic dimension.
"""Exports for four rows."""

import jax
import jax.numpy as jnp
from jax import export


def export_model(f, d):
    spec = jax.ShapeDtypeStruct((4, d), jnp.float32)
    return export.export(jax.jit(f), platforms=("cpu", "cuda", "tpu"))(spec)
