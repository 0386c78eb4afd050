# expects: check any-batch
# says: Your program refuses large batches: a constraint on the open size forbids them. The
#     problem allows any size.
"""Promises that a batch is never larger than 64."""

import jax
import jax.numpy as jnp
from jax import export


def export_model(f, d):
    shape = export.symbolic_shape(f"n, {d}", constraints=["n <= 64"])
    spec = jax.ShapeDtypeStruct(shape, jnp.float32)
    return export.export(jax.jit(f), platforms=("cpu", "cuda", "tpu"))(spec)
