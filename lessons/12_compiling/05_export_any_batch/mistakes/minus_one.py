# expects: symbolic-dimension-missing at 10
"""Writes -1 for the open size, as in `reshape`."""

import jax
import jax.numpy as jnp
from jax import export


def export_model(f, d):
    spec = jax.ShapeDtypeStruct((-1, d), jnp.float32)
    return export.export(jax.jit(f), platforms=("cpu", "cuda", "tpu"))(spec)
