# expects: check values
# says: Your shapes are those for other, smaller inputs.
"""Creates smaller arrays instead."""

import jax
import jax.numpy as jnp


def output_spec(f, *specs):
    arrays = jax.tree.map(lambda spec: jnp.zeros((2,) * len(spec.shape), spec.dtype), specs)
    return jax.tree.map(lambda leaf: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype), f(*arrays))
