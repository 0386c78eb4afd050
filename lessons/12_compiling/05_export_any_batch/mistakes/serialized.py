# expects: check jit
# says: Your function returns bytes, or needs another package to make them. The problem asks for
#     the exported object itself.
"""Returns bytes, which need another package too."""

import jax
import jax.numpy as jnp
from jax import export


def export_model(f, d):
    spec = jax.ShapeDtypeStruct(export.symbolic_shape(f"n, {d}"), jnp.float32)
    return export.export(jax.jit(f), platforms=("cpu", "cuda", "tpu"))(spec).serialize()
