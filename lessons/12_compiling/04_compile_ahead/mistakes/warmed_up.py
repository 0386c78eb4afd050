# expects: check one-shape
# says: Your first result still compiles for any shape, at the call. Calling it once with invented
#     data does not change that.
"""Calls it once, with invented data."""

import jax
import jax.numpy as jnp


def compile_for(f, spec):
    compiled = jax.jit(f)
    compiled(*jax.tree.map(lambda leaf: jnp.zeros(leaf.shape, leaf.dtype), spec))
    return compiled, compiled.lower(*spec).cost_analysis().get("flops", 0.0)
