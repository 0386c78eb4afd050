# expects: check platforms
# says: Your program is for the platform it was made on. The problem names three.
"""Names no platforms."""

import jax
import jax.numpy as jnp
from jax import export


def export_model(f, d):
    spec = jax.ShapeDtypeStruct(export.symbolic_shape(f"n, {d}"), jnp.float32)
    return export.export(jax.jit(f))(spec)
