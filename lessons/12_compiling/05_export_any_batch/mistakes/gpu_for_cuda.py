# expects: platform-not-present at 11
"""Calls a platform by a name that export does not know."""

import jax
import jax.numpy as jnp
from jax import export


def export_model(f, d):
    spec = jax.ShapeDtypeStruct(export.symbolic_shape(f"n, {d}"), jnp.float32)
    return export.export(jax.jit(f), platforms=("cpu", "gpu", "tpu"))(spec)
