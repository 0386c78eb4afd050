"""One program for every batch size: export with a symbolic shape."""

import jax
import jax.numpy as jnp
from jax import export


def export_model(f, d):
    """Return f exported for float32 of shape (any n, d), for cpu, cuda and tpu."""
    shape = export.symbolic_shape(f"n, {d}")  # n is open, d is a number
    spec = jax.ShapeDtypeStruct(shape, jnp.float32)
    return export.export(jax.jit(f), platforms=("cpu", "cuda", "tpu"))(spec)
