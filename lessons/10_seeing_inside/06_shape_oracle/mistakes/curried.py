# expects: check jit
# says: This function takes `f` and its arguments in one call. It does not return a function.
"""Calls eval_shape as if it returned a function."""

import jax


def output_spec(f, *specs):
    return jax.eval_shape(f)(*specs)
