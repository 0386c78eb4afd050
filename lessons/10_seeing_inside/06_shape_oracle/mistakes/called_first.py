# expects: TypeError at 9
"""Calls f, and asks about its answer."""

import jax
import jax.numpy as jnp


def output_spec(f, *specs):
    return jax.eval_shape(f(*specs))
