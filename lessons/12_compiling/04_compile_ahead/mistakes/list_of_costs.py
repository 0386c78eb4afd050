# expects: check jit
# says: Your answer looks for the costs in a list. `cost_analysis()` returns one dict; it was a
#     list in older versions.
"""The costs as older versions gave them, in a list."""

import jax
import jax.numpy as jnp


def compile_for(f, spec):
    compiled = jax.jit(f).lower(*spec).compile()
    return compiled, compiled.cost_analysis()[0]["flops"]
