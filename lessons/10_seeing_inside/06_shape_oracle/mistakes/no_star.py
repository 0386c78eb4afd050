# expects: check jit
# says: `f` receives all descriptions as one tuple. Each is an argument of its own.
"""Passes one tuple instead of the arguments."""

import jax
import jax.numpy as jnp


def output_spec(f, *specs):
    return jax.eval_shape(f, specs)
