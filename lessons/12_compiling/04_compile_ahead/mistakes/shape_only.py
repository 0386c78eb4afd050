# expects: check jit
# says: Your first result is not a program: it describes the shape of the answer. It cannot be
#     called.
"""Evaluates the shape, which is not a program."""

import jax
import jax.numpy as jnp


def compile_for(f, spec):
    return jax.eval_shape(f, *spec), 0.0
