# expects: check values
# says: Your second result is all of the costs. The problem asks for one of them, the number of
#     flops.
"""Returns all the costs."""

import jax
import jax.numpy as jnp


def compile_for(f, spec):
    compiled = jax.jit(f).lower(*spec).compile()
    return compiled, compiled.cost_analysis()
