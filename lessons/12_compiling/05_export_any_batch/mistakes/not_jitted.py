# expects: check jit
# says: `export` got a plain function. It takes what `jax.jit` returns.
"""Exports a plain function."""

import jax
import jax.numpy as jnp
from jax import export


def export_model(f, d):
    spec = jax.ShapeDtypeStruct(export.symbolic_shape(f"n, {d}"), jnp.float32)
    return export.export(f, platforms=("cpu", "cuda", "tpu"))(spec)
