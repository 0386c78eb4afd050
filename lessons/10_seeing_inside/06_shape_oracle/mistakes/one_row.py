# expects: check values
"""Makes smaller arrays, and hopes."""

import jax
import jax.numpy as jnp


def output_spec(f, *specs):
    arrays = jax.tree.map(lambda spec: jnp.zeros((2,) * len(spec.shape), spec.dtype), specs)
    return jax.tree.map(lambda leaf: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype), f(*arrays))
