# expects: check values
"""Forgets the dtypes."""

import jax
import jax.numpy as jnp


def output_spec(f, *specs):
    return jax.tree.map(lambda spec: spec.shape, jax.eval_shape(f, *specs))
