# expects: export-needs-jit at 11
"""Exports a plain function."""

import jax
import jax.numpy as jnp
from jax import export


def export_model(f, d):
    spec = jax.ShapeDtypeStruct(export.symbolic_shape(f"n, {d}"), jnp.float32)
    return export.export(f, platforms=("cpu", "cuda", "tpu"))(spec)
