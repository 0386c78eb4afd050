# expects: check jit
# says: Your function returns the method `call`. The problem asks for the exported object, which
#     has that method and more.
"""Returns the method, not the program."""

import jax
import jax.numpy as jnp
from jax import export


def export_model(f, d):
    spec = jax.ShapeDtypeStruct(export.symbolic_shape(f"n, {d}"), jnp.float32)
    return export.export(jax.jit(f), platforms=("cpu", "cuda", "tpu"))(spec).call
