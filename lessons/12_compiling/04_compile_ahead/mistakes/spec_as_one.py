# expects: TypeError at 9
"""Passes the tuple as one argument."""

import jax
import jax.numpy as jnp


def compile_for(f, spec):
    compiled = jax.jit(f).lower(spec).compile()
    return compiled, compiled.cost_analysis().get("flops", 0.0)
