# expects: check jit
# says: `f` is called with descriptions, and they are not arrays. It has to be traced.
"""Calls the compiled function with descriptions."""

import jax
import jax.numpy as jnp


def output_spec(f, *specs):
    return jax.eval_shape(jax.jit(f)(*specs))
