# expects: check jit
# says: `compile_for` returns the pair in the other order. The program comes first, then its
#     flops.
"""Returns the flops first."""

import jax


def compile_for(f, spec):
    compiled = jax.jit(f).lower(*spec).compile()
    return compiled.cost_analysis().get("flops", 0.0), compiled
