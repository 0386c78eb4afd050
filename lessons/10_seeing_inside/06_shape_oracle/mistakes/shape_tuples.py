# expects: list-argument at 9
"""Passes shapes, which are trees of integers."""

import jax
import jax.numpy as jnp


def output_spec(f, *specs):
    return jax.eval_shape(f, *[spec.shape for spec in specs])
