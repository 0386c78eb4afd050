# expects: TypeError at 9
"""Passes one tuple instead of the arguments."""

import jax
import jax.numpy as jnp


def output_spec(f, *specs):
    return jax.eval_shape(f, specs)
