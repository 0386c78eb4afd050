# expects: check jit
# says: Your program is for one argument, a tuple. `spec` holds one entry for each argument of
#     `f`.
"""Passes the tuple as one argument."""

import jax
import jax.numpy as jnp


def compile_for(f, spec):
    compiled = jax.jit(f).lower(spec).compile()
    return compiled, compiled.cost_analysis().get("flops", 0.0)
