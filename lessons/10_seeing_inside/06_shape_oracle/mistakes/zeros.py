# expects: check jit
# says: Your answer creates arrays of the described sizes, and there is no memory for them.
#     Tracing needs no arrays.
"""Creates the arrays."""

import jax
import jax.numpy as jnp


def output_spec(f, *specs):
    arrays = jax.tree.map(lambda spec: jnp.zeros(spec.shape, spec.dtype), specs)
    return jax.tree.map(lambda leaf: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype), f(*arrays))
