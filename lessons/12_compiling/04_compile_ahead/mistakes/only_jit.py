# expects: check one-shape
# says: Your first result still compiles for any shape, at the call. The problem asks for the
#     finished program, which is for one shape only.
"""Returns what compiles at the call."""

import jax
import jax.numpy as jnp


def compile_for(f, spec):
    compiled = jax.jit(f)
    return compiled, compiled.lower(*spec).compile().cost_analysis().get("flops", 0.0)
