# expects: check values
# says: Your leaves are shapes. A description has a shape and a dtype.
"""Leaves the dtypes out."""

import jax
import jax.numpy as jnp


def output_spec(f, *specs):
    return jax.tree.map(lambda spec: spec.shape, jax.eval_shape(f, *specs))
